// The WebSocket of one table: sits down or watches, passes on every message, and reconnects by itself.

const WAITS = [300, 600, 1200, 2500, 5000];

export class Link {
  /** Without a token one watches. `heard` is called with each message, `changed` with "open" or "lost". */
  constructor(table, token, heard, changed) {
    Object.assign(this, { table, token, heard, changed, tries: 0, closed: false });
    this.open();
    this.wake = () => this.socket.readyState === WebSocket.CLOSED && this.again(0);
    addEventListener("online", this.wake);
  }

  open() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    this.socket = new WebSocket(`${scheme}://${location.host}/ws`);
    this.socket.onopen = () => {
      this.tries = 0;
      const { table, token } = this;
      this.send(token ? { type: "sit", table, token } : { type: "watch", table });
      this.changed("open");
    };
    this.socket.onmessage = (event) => this.heard(JSON.parse(event.data));
    this.socket.onclose = () => this.lost();
  }

  lost() {
    if (this.closed) return;
    this.changed("lost");
    this.again(WAITS[Math.min(this.tries++, WAITS.length - 1)]);
  }

  again(wait) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.closed || this.open(), wait);
  }

  /** Whether the message was sent; nothing is queued while the connection is lost. */
  send(message) {
    if (this.socket.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    removeEventListener("online", this.wake);
    this.socket.onclose = null;
    this.socket.close();
  }
}
