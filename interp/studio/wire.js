/* Asks the server, and speaks with the language server behind it. The token has come in the fragment of the page's
 * address, which browsers send to nobody; this tab keeps it, and it goes along with each request. */

const key = "psl-studio-token";
const given = new URLSearchParams(location.hash.slice(1)).get("token");
if (given) {
  sessionStorage.setItem(key, given);
  history.replaceState(null, "", location.pathname);
}
const token = given || sessionStorage.getItem(key) || "";
addEventListener("hashchange", () => location.reload());

export class Refused extends Error {
  constructor(status, text) {
    super(text);
    this.status = status;
  }
}

async function answered(name, params, how, read) {
  let response, answer;
  try {
    response = await fetch("/api/" + name, {
      method: "POST",
      headers: {"Content-Type": "application/json", "X-PSL-Token": token},
      body: JSON.stringify(params),
      ...how,
    });
    answer = await (response.ok ? read(response) : response.json());
  } catch (error) {
    throw new Refused(0, "The studio does not answer: psl studio has ended, or is to be started again.");
  }
  if (!response.ok) throw new Refused(response.status, answer.error);
  return answer;
}

/* The answer of the server; a Refused says why there is none, with status 0 where the server is gone. */
export const ask = (name, params = {}, how = {}) => answered(name, params, how, (response) => response.json());
/* The same of one that is bytes. */
export const askBytes = (name, params) => answered(name, params, {}, (response) => response.arrayBuffer());

export const pause = (ms) => new Promise((done) => setTimeout(done, ms));

/* Does one after another what it is called for: each begins when those before it have come to their end. */
export function oneByOne(work) {
  let last = Promise.resolve();
  return (...values) => {
    const done = last.then(() => work(...values));
    last = done.catch(() => {});
    return done;
  };
}

/* Calls the function once nothing has called for it for so many milliseconds; cancel() lets it be. */
export function settled(ms, work) {
  let timer;
  const soon = (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => work(...values), ms);
  };
  soon.cancel = () => clearTimeout(timer);
  return soon;
}

function visible() {
  if (document.visibilityState === "visible") return Promise.resolve();
  return new Promise((done) => document.addEventListener("visibilitychange", () => done(), {once: true}));
}

/* A client of the Language Server Protocol. Messages go out one after another, in their order. `opened` is called
 * whenever a server is new, and is to tell it of the texts; `noted` with what it says unasked. A tab that nobody sees
 * asks for nothing: so many tabs do not take each other's connections, and a server that was given up meanwhile is
 * started anew. */
export class Language {
  constructor(folder, {opened, noted, lost}) {
    this.folder = folder;
    this.opened = opened;
    this.noted = noted;
    this.lost = lost;
    this.waiting = new Map();
    this.next = 1;
    this.queue = Promise.resolve();
    this.expect();
    addEventListener("pagehide", () => this.leave());
  }
  /* As the language server writes them. */
  uri(path) {
    const escaped = (c) => "%" + c.charCodeAt(0).toString(16).toUpperCase();
    return "file://" +
        encodeURIComponent(this.folder + "/" + path)
            .replace(/%(2F|2B|2C|40)/g, decodeURIComponent)
            .replace(/[!'()*]/g, escaped);
  }
  path(uri) {
    const begin = this.folder + "/", whole = uri.startsWith("file://") ? decodeURIComponent(uri.slice(7)) : "";
    return whole.startsWith(begin) ? whole.slice(begin.length) : null;
  }
  /* What is asked meanwhile waits until a server has been told of the texts, or could not be started. */
  expect() {
    this.told = false;
    this.there = new Promise((arrive, fail) => Object.assign(this, {arrive, fail}));
    this.there.catch(() => {}); /* nobody may wait */
  }
  async start() {
    for (;;) {
      try {
        await visible();
        this.id = (await ask("editor")).editor;
        this.hello();
        await this.listen();
      } catch (error) {
        for (const [, waiter] of this.waiting) waiter.reject(error);
        this.waiting.clear();
        this.fail(error);
        this.expect();
        if (error.status !== 410) this.lost(error.message);
        await pause(error.status === 410 ? 100 : 2000);
      }
    }
  }
  /* A page that is left needs its server no more; where it is shown once more, it starts another. */
  leave() {
    if (this.id) ask("leave", {editor: this.id}, {keepalive: true}).catch(() => {});
  }
  async listen() {
    for (;;) {
      await visible();
      const {messages} = await ask("hear", {editor: this.id});
      for (const message of messages) this.take(message);
    }
  }
  async hello() {
    const id = this.id;
    await this.send({
      id: 0,
      method: "initialize",
      params: {
        processId: null,
        rootUri: this.uri("").replace(/\/$/, ""),
        capabilities: {textDocument: {documentSymbol: {hierarchicalDocumentSymbolSupport: true}}}
      }
    });
    await this.send({method: "initialized", params: {}});
    if (id !== this.id || this.told) return;
    this.told = true;
    this.opened();
    this.arrive();
  }
  take(message) {
    if (message.method) return this.noted(message.method, message.params);
    const waiter = this.waiting.get(message.id);
    this.waiting.delete(message.id);
    if (message.id === 0 && message.result) this.capabilities = message.result.capabilities;
    if (!waiter) return undefined;
    return message.error ? waiter.reject(new Error(message.error.message)) : waiter.done(message.result);
  }
  send(message) {
    const body = {editor: this.id, message: {jsonrpc: "2.0", ...message}};
    this.queue = this.queue.then(() => ask("tell", body)).catch((error) => {
      const waiter = this.waiting.get(message.id);
      this.waiting.delete(message.id);
      if (waiter) waiter.reject(error);
    });
    return this.queue;
  }
  notify(method, params) { return this.told ? this.send({method, params}) : Promise.resolve(); }
  request(method, params) {
    const id = this.next++;
    return new Promise((done, reject) => {
      const send = () => {
        this.waiting.set(id, {done, reject});
        this.send({id, method, params});
      };
      if (this.told) send();
      else this.there.then(send, reject);
    });
  }
}
