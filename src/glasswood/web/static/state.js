// The state of the page is its address: #view=tree&seed=7&depth=3. Whoever has the link sees the same.

// get(key) gives text or null; set(key, value) changes it (null removes it) and calls those that listen to the key;
// listen(key, f) calls f(value) when the value changes, by set or because the address was changed by hand.
// Where the address says nothing, the page opens with `first`, which is written like an address.
export function createState(first = "", delay = 250) {
  let values = location.hash.length > 1 ? read() : new Map(new URLSearchParams(first));
  let known = location.hash;
  const listeners = new Map();
  let timer = 0;

  function tell(key) {
    for (const listener of listeners.get(key) ?? []) listener(values.get(key) ?? null);
  }

  function written() {
    return [...values].map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`).join("&");
  }

  // The address is written rarely: browsers make each change cost milliseconds and refuse more than a hundred in 30 s.
  function write() {
    if (location.hash !== known) return; // changed by hand just now: the event that tells us is on its way
    const text = written();
    try {
      history.replaceState(null, "", `#${text}`);
      known = location.hash;
    } catch {
      // a sandboxed frame of a notebook has no address of its own
    }
  }

  window.addEventListener("hashchange", () => {
    const before = values;
    values = read();
    known = location.hash;
    for (const key of new Set([...before.keys(), ...values.keys()])) {
      if (before.get(key) !== values.get(key)) tell(key);
    }
  });

  return {
    get: (key) => values.get(key) ?? null,
    written,
    set(key, value) {
      const text = value === null || value === undefined ? undefined : String(value);
      if (values.get(key) === text) return;
      if (text === undefined) values.delete(key);
      else values.set(key, text);
      clearTimeout(timer);
      timer = setTimeout(write, delay);
      tell(key);
    },
    listen(key, listener) {
      if (!listeners.has(key)) listeners.set(key, new Set());
      listeners.get(key).add(listener);
      return () => listeners.get(key).delete(listener);
    },
  };
}

function read() {
  return new Map(new URLSearchParams(location.hash.slice(1)));
}
