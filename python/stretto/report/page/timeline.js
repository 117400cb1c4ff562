// The timeline of a trace on a canvas, and tables whose heads sort. Colours are those of the style sheet.
(() => {
  "use strict";
  const ROW = 26, TOP = 22, LEFT = 46, MAX_LINES = 3000, SHORTEST_NS = 50;
  const WITH_PEER = new Set(["start", "send", "receive"]);
  const number = (value) => value.toPrecision(4).replace(/\.?0+$/, "");
  const duration = (ns) =>
    ns < 1e3 ? `${number(ns)} ns` : ns < 1e6 ? `${number(ns / 1e3)} µs`
      : ns < 1e9 ? `${number(ns / 1e6)} ms` : `${number(ns / 1e9)} s`;
  const firstAfter = (values, limit) => {
    let low = 0, high = values.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (values[middle] <= limit) low = middle + 1;
      else high = middle;
    }
    return low;
  };

  class Timeline {
    constructor(place) {
      this.data = JSON.parse(place.querySelector('script[type="application/json"]').textContent);
      this.canvas = place.querySelector("canvas");
      this.said = place.querySelector(".said");
      this.from = 0;
      this.to = Math.max(this.data.end, 1);
      this.lines = [];
      this.pointed = null;
      this.chosen = null;
      this.height = TOP + ROW * this.data.lanes.length + 4;
      place.querySelectorAll("[data-zoom]").forEach((button) =>
        button.addEventListener("click", () => this.zoom(button.dataset.zoom, 0.5)));
      this.listen();
      new ResizeObserver(() => this.draw()).observe(this.canvas.parentElement);
    }

    listen() {
      const { canvas } = this;
      let held = null;
      // Not before it was clicked: who only reads on turns the wheel, too.
      canvas.addEventListener("wheel", (event) => {
        if (document.activeElement !== canvas && !event.ctrlKey) return;
        event.preventDefault();
        this.zoom(event.deltaY < 0 ? 0.8 : 1.25, (event.offsetX - LEFT) / this.width);
      }, { passive: false });
      canvas.addEventListener("pointerdown", (event) => {
        held = { x: event.offsetX, from: this.from, to: this.to, moved: false };
        canvas.setPointerCapture(event.pointerId);
      });
      canvas.addEventListener("pointermove", (event) => {
        if (!held) return this.point(event.offsetX, event.offsetY);
        const shift = ((held.x - event.offsetX) / this.width) * (held.to - held.from);
        held.moved ||= Math.abs(held.x - event.offsetX) > 3;
        return this.show(held.from + shift, held.to + shift);
      });
      canvas.addEventListener("pointerup", () => {
        if (held && !held.moved) this.choose();
        held = null;
      });
      canvas.addEventListener("keydown", (event) => {
        const step = (this.to - this.from) / 4;
        const moves = { ArrowLeft: -step, ArrowRight: step };
        if (event.key in moves) this.show(this.from + moves[event.key], this.to + moves[event.key]);
        else if (event.key === "+") this.zoom(0.5, 0.5);
        else if (event.key === "-") this.zoom(2, 0.5);
        else return;
        event.preventDefault();
      });
    }

    zoom(factor, at) {
      if (factor === "all") return this.show(0, this.data.end);
      const middle = this.from + Math.min(Math.max(at, 0), 1) * (this.to - this.from);
      const scale = Number(factor);
      return this.show(middle - (middle - this.from) * scale, middle + (this.to - middle) * scale);
    }

    show(from, to) {
      const length = Math.min(Math.max(to - from, SHORTEST_NS), Math.max(this.data.end, 1));
      this.from = Math.min(Math.max(from, 0), Math.max(this.data.end - length, 0));
      this.to = this.from + length;
      this.draw();
    }

    x(ns) { return LEFT + ((ns - this.from) / (this.to - this.from)) * this.width; }
    middle(lane) { return TOP + ROW * lane + ROW / 2; }

    draw() {
      const box = this.canvas.parentElement.clientWidth;
      const scale = window.devicePixelRatio || 1;
      this.width = Math.max(box - LEFT - 4, 50);
      this.canvas.width = box * scale;
      this.canvas.height = this.height * scale;
      this.canvas.style.height = `${this.height}px`;
      this.pen = this.canvas.getContext("2d");
      this.pen.scale(scale, scale);
      const style = getComputedStyle(document.documentElement);
      this.colour = (name) => style.getPropertyValue(name).trim();
      this.pen.font = `12px ${this.colour("--sans")}`;
      this.drawAxis();
      this.data.lanes.forEach((lane, index) => this.drawLane(lane, index));
      this.drawMessages();
      this.canvas.dataset.drawn = String(this.lines.length);
    }

    drawAxis() {
      const { pen } = this;
      const rough = ((this.to - this.from) / this.width) * 110;
      const power = 10 ** Math.floor(Math.log10(Math.max(rough, 1)));
      const step = [1, 2, 5, 10].map((one) => one * power).find((one) => one >= rough);
      pen.fillStyle = this.colour("--ink-soft");
      pen.strokeStyle = this.colour("--grid");
      for (let at = Math.ceil(this.from / step) * step; at <= this.to; at += step) {
        const x = Math.round(this.x(at)) + 0.5;
        pen.beginPath();
        pen.moveTo(x, TOP - 6);
        pen.lineTo(x, this.height);
        pen.stroke();
        pen.fillText(at ? duration(at) : "0", x + 3, 12);
      }
    }

    // Every column of pixels is filled in the shares of its time: what is too short to be seen still counts.
    drawLane(lane, index) {
      const { pen } = this;
      const top = TOP + ROW * index + 3, high = ROW - 6;
      pen.fillStyle = this.colour("--wash");
      pen.fillRect(LEFT, top, this.width, high);
      pen.fillStyle = this.colour("--ink-soft");
      pen.fillText(lane.name, 2, top + high - 5);
      const kinds = this.data.categories.length, columns = Math.ceil(this.width) + 1;
      const shares = new Float32Array(columns * kinds);
      for (let i = Math.max(firstAfter(lane.begin, this.from) - 1, 0); i < lane.begin.length; ++i) {
        if (lane.begin[i] > this.to) break;
        const begin = Math.max(this.x(lane.begin[i]) - LEFT, 0);
        const end = Math.min(this.x(lane.begin[i] + lane.length[i]) - LEFT, this.width);
        for (let column = Math.floor(begin); column < end; ++column) {
          const part = Math.min(end, column + 1) - Math.max(begin, column);
          shares[column * kinds + this.data.category[lane.call[i]]] += part;
        }
      }
      this.data.categories.forEach((name, kind) => {
        pen.fillStyle = this.colour(`--call-${name}`);
        for (let column = 0; column < columns; ++column) {
          const share = shares[column * kinds + kind];
          if (share <= 0) continue;
          let below = 0;
          for (let other = 0; other < kind; ++other) below += shares[column * kinds + other];
          const tall = Math.min(share, 1) * high;
          pen.fillRect(LEFT + column, top + high - Math.min(below, 1) * high - tall, 1, tall);
        }
      });
    }

    drawMessages() {
      const { pen } = this;
      this.lines = this.data.messages.filter((one) => one[3] >= this.from && one[2] <= this.to);
      this.tooMany = this.lines.length > MAX_LINES;
      if (this.tooMany) {
        this.lines = [];
        this.tell("Too many messages to draw: look closer to see them.");
      }
      pen.save();
      pen.beginPath();
      pen.rect(LEFT, TOP, this.width, this.height);
      pen.clip();
      for (const one of this.lines) this.stroke(one, this.colour("--ink-soft"), 0.8);
      for (const one of [this.pointed, this.chosen]) {
        if (!one) continue;
        this.stroke(one, this.colour("--accent"), 2.4);
        this.marks(one[6], one[0], -1);
        this.marks(one[7], one[1], 1);
      }
      pen.restore();
    }

    stroke(one, colour, width) {
      this.pen.strokeStyle = colour;
      this.pen.lineWidth = width;
      this.pen.beginPath();
      this.pen.moveTo(this.x(one[2]), this.middle(one[0]));
      this.pen.lineTo(this.x(one[3]), this.middle(one[1]));
      this.pen.stroke();
    }

    // When the parts of a message were written (above the sender's row) and first read (below the receiver's).
    marks(times, lane, side) {
      const y = this.middle(lane) + (side * ROW) / 2;
      this.pen.fillStyle = this.colour("--accent");
      for (const at of times) {
        const x = this.x(at);
        this.pen.beginPath();
        this.pen.moveTo(x, y - side * 6);
        this.pen.lineTo(x - 3.5, y);
        this.pen.lineTo(x + 3.5, y);
        this.pen.fill();
      }
    }

    point(x, y) {
      const near = this.lines.find((one) => this.isNear(one, x, y)) || null;
      const changed = near !== this.pointed;
      this.pointed = near;
      if (changed) this.draw();
      const words = near ? this.message(near) : this.call(x, y);
      if (words) this.tell(words);
    }

    isNear(one, x, y) {
      const ax = this.x(one[2]), ay = this.middle(one[0]), bx = this.x(one[3]), by = this.middle(one[1]);
      const long = (bx - ax) ** 2 + (by - ay) ** 2;
      const share = long ? Math.min(Math.max(((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / long, 0), 1) : 0;
      const distance = Math.hypot(x - ax - share * (bx - ax), y - ay - share * (by - ay));
      return distance < 3 && Math.abs(y - ay) > 5 && Math.abs(y - by) > 5;
    }

    message(one) {
      const [from, to, sent, received, bytes, tag] = one;
      const { lanes } = this.data;
      return `message of ${bytes} B, tag ${tag}, from rank ${lanes[from].name} at ${duration(sent)} ` +
        `to rank ${lanes[to].name} at ${duration(received)}: ${duration(received - sent)}`;
    }

    call(x, y) {
      const lane = this.data.lanes[Math.floor((y - TOP) / ROW)];
      if (!lane || x < LEFT) return "";
      const at = this.from + ((x - LEFT) / this.width) * (this.to - this.from);
      const i = firstAfter(lane.begin, at) - 1;
      const end = i < 0 ? 0 : lane.begin[i] + lane.length[i];
      const slack = (this.to - this.from) / this.width;
      if (i < 0 || at > end + slack) {
        const next = lane.begin[i + 1];
        return `rank ${lane.name} computes${next === undefined ? "" : ` for ${duration(next - end)}`}`;
      }
      const category = this.data.categories[this.data.category[lane.call[i]]];
      const peer = WITH_PEER.has(category) && lane.peer[i] >= 0 ? `, peer ${lane.peer[i]}` : "";
      const bytes = lane.bytes[i] ? `, ${lane.bytes[i]} B` : "";
      const place = this.data.places[lane.place[i]];
      return `rank ${lane.name}: ${this.data.names[lane.call[i]]}${place ? ` in ${place}` : ""}${peer}${bytes}, ` +
        `at ${duration(lane.begin[i])} for ${duration(lane.length[i])}`;
    }

    choose() {
      this.chosen = this.pointed;
      this.draw();
    }

    tell(words) { this.said.textContent = words; }
  }

  const sorted = (place) => {
    const body = place.querySelector("tbody");
    const heads = [...place.querySelectorAll("thead th")];
    const value = (row, column) => {
      const cell = row.children[column];
      const held = cell.querySelector("[data-value]");
      const text = held ? held.dataset.value : cell.textContent;
      return text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : text;
    };
    heads.forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const down = head.getAttribute("aria-sort") !== "descending";
        heads.forEach((other) => other.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        const rows = [...body.children].sort((one, other) => {
          const [a, b] = [value(one, column), value(other, column)];
          const order = typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b));
          return down ? -order : order;
        });
        body.append(...rows);
      });
    });
  };

  const timelines = [...document.querySelectorAll(".timeline")].map((place) => new Timeline(place));
  const drawAll = () => timelines.forEach((one) => one.draw());
  document.querySelectorAll(".sortable").forEach(sorted);
  new MutationObserver(drawAll).observe(document.documentElement, { attributeFilter: ["data-theme"] });
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawAll);
  drawAll();
})();
