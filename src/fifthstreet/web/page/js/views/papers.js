// The papers' scorecard: every claim with its printed and its measured number, and the verdict.

import { get, post } from "../api.js";
import { h, redraw } from "../dom.js";
import { follow, isOver } from "../follow.js";
import { plain } from "../numbers.js";
import { notice } from "../tell.js";

const VERDICTS = ["reproduced", "not reproduced", "undecided"];

export function papersView(place) {
  document.title = "The papers’ scorecard – fifthstreet";
  let papers = null;
  let wanted = "all";
  const running = {}; // by paper: the latest state of its run
  const leaving = [];

  const run = async (paper) => {
    try {
      const { id } = await post("/api/watch", { kind: "paper", paper });
      leaving.push(
        follow(`/api/watch/${id}`, (news) => {
          running[paper] = isOver(news) ? null : news;
          if (news.error) notice(news.error, "error");
          if (isOver(news)) load();
          draw();
        }),
      );
    } catch (error) {
      notice(error.message, "error");
    }
  };

  const filter = (verdict) => {
    wanted = verdict;
    draw();
  };

  function draw() {
    const claims = (papers ?? []).flatMap((paper) => paper.claims);
    const count = (verdict) => claims.filter((claim) => verdict === "all" || claim.verdict === verdict).length;
    redraw(
      place,
      h(
        "div",
        { class: "stacked narrow" },
        h("h1", {}, "The papers’ scorecard"),
        h(
          "p",
          { class: "lead" },
          "The claims of five papers, measured again. The verdict follows from the confidence interval.",
        ),
        !papers && h("p", { class: "empty" }, "Loading …"),
        papers &&
          h(
            "div",
            { class: "tabs", role: "group", "aria-label": "Verdict" },
            ["all", ...VERDICTS].map((verdict) =>
              h(
                "button",
                { "aria-pressed": String(verdict === wanted), onclick: () => filter(verdict) },
                `${verdict} ${count(verdict)}`,
              ),
            ),
          ),
        papers?.map(drawPaper),
      ),
    );
  }

  function drawPaper(paper) {
    const shown = paper.claims.filter((claim) => wanted === "all" || claim.verdict === wanted);
    const news = running[paper.name];
    if (!shown.length) return null;
    return h(
      "section",
      { class: "panel", key: paper.name },
      h(
        "header",
        { class: "paper" },
        h("div", {}, h("h2", {}, paper.title), h("p", { class: "quiet fine" }, paper.authors)),
        news
          ? h(
              "p",
              { class: "quiet fine" },
              news.what
                ? `${news.what}, ${plain(news.done)} of ${plain(news.total)}`
                : news.state === "waiting"
                  ? "waiting for others to finish"
                  : "it begins",
              h("progress", { value: news.total ? news.done / news.total : 0, max: 1, "aria-label": "Progress" }),
            )
          : h(
              "button",
              { class: "small", "aria-label": `Run ${paper.title} again`, onclick: () => run(paper.name) },
              paper.claims.some((claim) => claim.verdict) ? "Run again" : "Run now (quick)",
            ),
      ),
      h("ul", { class: "claims" }, shown.map(drawClaim)),
    );
  }

  const load = () =>
    get("/api/papers").then(
      (found) => {
        ({ papers } = found);
        draw();
      },
      (error) => notice(error.message, "error"),
    );

  draw();
  load();
  return () => {
    for (const leave of leaving) leave();
  };
}

function drawClaim({ words, printed, measured, verdict }) {
  return h(
    "li",
    {},
    h("p", {}, words),
    h(
      "p",
      { class: "fine figures-line" },
      h("span", {}, h("span", { class: "quiet" }, "printed "), String(printed ?? "–")),
      measured &&
        h(
          "span",
          {},
          h("span", { class: "quiet" }, "measured "),
          plain(measured.value),
          measured.ci95?.[0] !== null &&
            measured.ci95 &&
            h("span", { class: "quiet" }, ` [${plain(measured.ci95[0])}, ${plain(measured.ci95[1])}]`),
        ),
      h("span", { class: `verdict ${(verdict ?? "").replaceAll(" ", "-")}` }, verdict ?? "not run yet"),
    ),
  );
}
