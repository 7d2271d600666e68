// The options of a game, in a dialog: who sits where, chips, blinds, points, practice.

import { h, redraw } from "../dom.js";
import { gameNamed } from "../games/all.js";
import { agentLine } from "../panels/agents.js";
import { parameterField } from "../panels/parameter.js";

const AWAY = { default: 60, from: 0, to: 86400 };

export function openOptions(game, order, start) {
  const dialog = document.body.appendChild(h("dialog", { "aria-labelledby": "options-title" }));
  const chosen = { seats: [...order.seats], options: { ...order.options }, practice: order.practice };
  const [least, most] = game.seats;
  const { alone, parameters, suggested } = gameNamed(game.name);
  dialog.onclose = () => dialog.remove();

  const draw = () =>
    redraw(
      dialog,
      h(
        "form",
        {
          method: "dialog",
          onsubmit: (event) => {
            event.preventDefault();
            dialog.close();
            start(chosen);
          },
        },
        h("h2", { id: "options-title" }, game.title),
        h(
          "fieldset",
          {},
          h("legend", { class: "title" }, alone ? "Who plays the same deal" : "Opponents"),
          h("div", { class: "seat-list" }, others()),
        ),
        !alone &&
          chosen.seats.length < most &&
          h("button", { type: "button", class: "small add", onclick: add }, "Add a player"),
        h(
          "fieldset",
          {},
          h("legend", { class: "title" }, "The game"),
          h("div", { class: "parameters" }, Object.entries(game.parameters).map(parameter)),
        ),
        chosen.seats.indexOf("you", 1) > 0 &&
          parameterField("Seconds until an agent plays for a friend who is away", AWAY, chosen.absent_s, (value) => {
            chosen.absent_s = value;
            draw();
          }),
        alone &&
          h(
            "label",
            { class: "tick" },
            h("input", {
              type: "checkbox",
              checked: chosen.practice,
              onchange: (event) => {
                chosen.practice = event.target.checked;
              },
            }),
            "Practice: moves can be taken back",
          ),
        h(
          "div",
          { class: "row last" },
          h("button", { class: "primary", type: "submit" }, "Play"),
          h("button", { type: "button", class: "plainly", onclick: () => dialog.close() }, "Cancel"),
        ),
      ),
    );

  const add = () => {
    chosen.seats.push(chosen.seats.at(-1) === "you" ? game.agents[0].name : chosen.seats.at(-1));
    draw();
  };

  const others = () =>
    chosen.seats.map(
      (spec, i) =>
        i > 0 &&
        agentLine({
          label: `Player ${i + 1}`,
          spec,
          agents: game.agents,
          extra: alone ? [] : [["you", "a friend, by link"]],
          set: (value) => {
            chosen.seats[i] = value;
            draw();
          },
          remove:
            chosen.seats.length > Math.max(least, 2) &&
            (() => {
              chosen.seats.splice(i, 1);
              draw();
            }),
        }),
    );

  const parameter = ([name, about]) =>
    parameterField(
      parameters[name] ?? name.replaceAll("_", " "),
      { ...about, suggested: suggested[name] },
      chosen.options[name],
      (value) => {
        if (value === undefined) delete chosen.options[name];
        else chosen.options[name] = value;
        draw();
      },
    );

  draw();
  dialog.showModal();
}
