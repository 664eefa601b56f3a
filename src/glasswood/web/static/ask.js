// Asking the server for JSON.

// JSON from the server; a refusal becomes an error that knows its field.
export async function ask(address, options = {}) {
  let response;
  try {
    response = await fetch(address, options);
  } catch {
    throw new Error("the server does not answer; is it still running?");
  }
  let answer = null;
  try {
    answer = await response.json();
  } catch {
    answer = { error: `the server answered ${response.status}`, field: null };
  }
  if (response.ok) return answer;
  throw Object.assign(new Error(answer.error ?? `the server answered ${response.status}`), { field: answer.field });
}
