// The WebSocket of one table: it sits down, hands on every message, and comes back by itself when it was lost.

const WAITS = [300, 600, 1200, 2500, 5000];

export class Link {
  /** `heard` gets messages, `changed` gets "connecting", "open", "lost" or "refused". */
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
      this.send({ type: "sit", table: this.table, token: this.token });
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

  /** Whether the message could be sent; while the connection is lost nothing is kept to be sent late. */
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
