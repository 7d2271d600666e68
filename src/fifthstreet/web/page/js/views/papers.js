// The papers' scorecard: every claim, printed beside measured, with its verdict.

import { get, post } from "../api.js";
import { h, redraw } from "../dom.js";
import { notice } from "../tell.js";

const VERDICTS = ["reproduced", "not reproduced", "undecided"];

export function papersView(place) {
  document.title = "The papers’ scorecard – fifthstreet";
  let card = null;
  let wanted = "all";
  let progress = null;
  let source = null;

  const run = async () => {
    try {
      const { id } = await post("/api/papers/run", {});
      source = new EventSource(`/api/watch/${id}/events`);
      const heard = (event) => {
        progress = JSON.parse(event.data);
        if (progress.over || progress.type === "done") source.close(), load();
        draw();
      };
      source.onmessage = heard;
      for (const kind of ["progress", "done", "failed"]) source.addEventListener(kind, heard);
    } catch (error) {
      notice(error.message, "error");
    }
  };

  function draw() {
    const claims = card?.claims ?? [];
    const shown = claims.filter((claim) => wanted === "all" || claim.verdict === wanted);
    const papers = [...new Set(shown.map((claim) => claim.paper))];
    redraw(
      place,
      h(
        "div",
        { class: "stacked narrow" },
        h("h1", {}, "The papers’ scorecard"),
        h("p", { class: "lead" }, "What five papers claim, run again: printed beside measured. The verdict follows from the interval."),
        !card && h("p", { class: "empty" }, "Looking …"),
        card && !claims.length && nothing(),
        claims.length > 0 &&
          h(
            "div",
            { class: "tabs", role: "group", "aria-label": "Verdict" },
            ["all", ...VERDICTS].map((verdict) =>
              h("button", { "aria-pressed": String(verdict === wanted), onclick: () => ((wanted = verdict), draw()) }, `${verdict} ${claims.filter((claim) => verdict === "all" || claim.verdict === verdict).length}`),
            ),
          ),
        papers.map((paper) => drawPaper(paper, shown.filter((claim) => claim.paper === paper))),
      ),
    );
  }

  const nothing = () =>
    h(
      "div",
      { class: "empty stacked" },
      h("p", {}, card.text ?? "Nothing has been run again yet on this machine."),
      progress
        ? h("p", {}, `${progress.done ?? 0} of ${progress.total ?? "?"} ${progress.unit ?? ""} done …`)
        : h("p", {}, h("button", { class: "primary", onclick: run }, "Run them now, quickly")),
    );

  const load = () =>
    get("/api/papers").then(
      (found) => {
        card = Array.isArray(found) ? { claims: found } : found;
        draw();
      },
      (error) => {
        card = { claims: [], text: error.message };
        draw();
      },
    );

  draw();
  load();
  return () => source?.close();
}

function drawPaper(paper, claims) {
  return h(
    "section",
    { class: "panel", key: paper },
    h("header", {}, h("h2", {}, paper), h("span", { class: "quiet fine" }, `${claims.length} claim${claims.length === 1 ? "" : "s"}`)),
    h(
      "ul",
      { class: "claims" },
      claims.map((claim) =>
        h(
          "li",
          {},
          h("p", {}, claim.words),
          h(
            "p",
            { class: "fine figures-line" },
            h("span", {}, h("span", { class: "quiet" }, "printed "), String(claim.printed ?? "–")),
            h("span", {}, h("span", { class: "quiet" }, "measured "), String(claim.measured ?? "–")),
            h("span", { class: `verdict ${claim.verdict.replaceAll(" ", "-")}` }, claim.verdict),
          ),
        ),
      ),
    ),
  );
}
