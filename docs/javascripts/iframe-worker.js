// The site's search runs in a web worker, but browsers start none for a page that was opened from a folder (file://).
// There, a hidden frame stands in for the worker. The theme's plugin `offline` would load a script for this from the
// network; it leaves that out if a script with this name is listed in mkdocs.yml.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    #window;

    constructor(url) {
      super();
      this.#window = this.#open(url);
    }

    async #open(url) {
      const frame = document.createElement("iframe");
      frame.hidden = true;
      frame.srcdoc = "<!doctype html>"; // has the origin of this page
      const opened = new Promise((resolve) => frame.addEventListener("load", resolve, { once: true }));
      document.body.append(frame);
      await opened;
      const inside = frame.contentWindow;
      inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      const script = frame.contentDocument.createElement("script");
      script.src = url;
      const loaded = new Promise((resolve) => script.addEventListener("load", resolve, { once: true }));
      frame.contentDocument.body.append(script);
      await loaded;
      return inside;
    }

    async postMessage(data) {
      const inside = await this.#window;
      inside.dispatchEvent(new MessageEvent("message", { data }));
    }
  };
}
