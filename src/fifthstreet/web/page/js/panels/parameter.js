// A form field for one parameter of a game or an agent: {default, options?, suggested?, from?, to?}.

import { h } from "../dom.js";

/** `set` is called with the value, or undefined for the default. */
export function parameterField(label, { default: normal, options, suggested, from, to }, now, set) {
  const settle = (value) => set(value === "" || value === normal ? undefined : value);
  if (typeof normal === "boolean")
    return h(
      "label",
      { class: "tick" },
      h("input", {
        type: "checkbox",
        checked: String(now ?? normal) === "true",
        onchange: (event) => settle(event.target.checked),
      }),
      label,
    );
  if (options)
    return h(
      "label",
      { class: "field" },
      label,
      h(
        "select",
        {
          value: String(now ?? normal),
          onchange: (event) => settle(options.find((each) => String(each) === event.target.value)),
        },
        options.map((each) => h("option", { value: String(each) }, String(each))),
      ),
    );
  const list = suggested && `suggested-${label.replaceAll(" ", "-").toLowerCase()}`;
  const number = typeof normal === "number" || from !== undefined;
  return h(
    "label",
    { class: "field" },
    label,
    h("input", {
      type: number ? "number" : "text",
      min: from,
      max: to,
      step: "any",
      list,
      value: now ?? "",
      placeholder: normal === null || normal === undefined || normal === "" ? "none" : String(normal),
      onchange: (event) =>
        settle(number && event.target.value !== "" ? Number(event.target.value) : event.target.value),
    }),
    suggested &&
      h(
        "datalist",
        { id: list },
        suggested.map((each) => h("option", { value: each })),
      ),
  );
}
