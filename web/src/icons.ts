// Icons, drawn on a grid of 16 with the current colour. Each is a path.

import { svg } from "./dom";

const PATHS = {
  play: "M5 3.2v9.6l8-4.8z",
  pause: "M4.5 3h2.6v10H4.5zM9 3h2.6v10H9z",
  step: "M3.5 3.2v9.6l6.5-4.8zM11 3h2v10h-2z",
  back: "M12.5 3.2v9.6L6 8zM3 3h2v10H3z",
  reset: "M8 2.5a5.5 5.5 0 1 1-5.3 4.1l1.7.5A3.7 3.7 0 1 0 8 4.3v2L4.6 3.4 8 .6z",
  gallery: "M2 2.5h5v5H2zM9 2.5h5v5H9zM2 9h5v5H2zM9 9h5v5H9z",
  light: "M8 5a3 3 0 1 1 0 6 3 3 0 0 1 0-6zM7.3 1h1.4v2.2H7.3zM7.3 12.8h1.4V15H7.3zM1 7.3h2.2v1.4H1zM12.8 7.3H15v1.4h-2.2zM3.5 2.6 5 4.1l-.9.9-1.5-1.5zM12 11.1l1.4 1.4-.9.9L11 12zM12.5 2.6l.9.9L12 5l-1-.9zM4 11.1l1 .9-1.5 1.4-.9-.9z",
  dark: "M6.2 2a5.2 5.2 0 0 0 7.6 7A6.2 6.2 0 1 1 6.2 2z",
  projector: "M1 3h14v8H1zm1.5 1.5v5h11v-5zM7.2 11h1.6v1.2l2.4 2.3h-2L8 13.3l-1.2 1.2h-2l2.4-2.3z",
  help: "M8 1a7 7 0 1 1 0 14A7 7 0 0 1 8 1zm0 1.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11zM7.2 11h1.6v1.5H7.2zM5.5 6.2a2.5 2.5 0 1 1 3.8 2.1c-.4.3-.6.5-.6 1v.5H7.3v-.6c0-1 .5-1.5 1.1-1.9a1 1 0 1 0-1.5-1.1z",
  close: "M3.3 2.3 8 7l4.7-4.7 1 1L9 8l4.7 4.7-1 1L8 9l-4.7 4.7-1-1L7 8 2.3 3.3z",
  picture: "M1.5 4h3l1-1.5h5l1 1.5h3v9h-13zm6.5 1.8a2.7 2.7 0 1 0 0 5.4 2.7 2.7 0 0 0 0-5.4z",
  table: "M2 2.5h12v11H2zm1.4 3v2h3.9v-2zm5.3 0v2h3.9v-2zM3.4 9v3h3.9V9zm5.3 0v3h3.9V9z",
  write: "M2 14l.7-3.3 7.6-7.6 2.6 2.6-7.6 7.6zM11 2.3l.9-.9 2.7 2.7-.9.9z",
  layers: "M8 1.5 15 5 8 8.5 1 5zM2.8 7.2 8 9.8l5.2-2.6L15 8 8 11.5 1 8zM2.8 10.2 8 12.8l5.2-2.6L15 11l-7 3.5L1 11z",
  camera: "M1 4h9v8H1zM11 7l4-2.5v7L11 9z",
  path: "M3 10.2a2.3 2.3 0 1 1-.1 4.6 2.3 2.3 0 0 1 .1-4.6zM13 1.2a2.3 2.3 0 1 1 0 4.6 2.3 2.3 0 0 1 0-4.6zM6 13.3v-1.6h4.6a1.9 1.9 0 0 0 0-3.8H5.4a3.5 3.5 0 0 1 0-7H9v1.6H5.4a1.9 1.9 0 0 0 0 3.8h5.2a3.5 3.5 0 0 1 0 7z",
  plus: "M7.2 2h1.6v5.2H14v1.6H8.8V14H7.2V8.8H2V7.2h5.2z",
  warning: "M8 1.5 15 14H1zM7.3 6v4h1.4V6zm0 5v1.4h1.4V11z",
  chevron: "M3.2 5.5 8 10.3l4.8-4.8 1 1L8 12.3 2.2 6.5z",
  save: "M2 2h9.5L14 4.5V14H2zm2 1.5v3h6v-3zM8 8.5a2 2 0 1 0 0 4 2 2 0 0 0 0-4z",
  share: "M12 1.5a2.5 2.5 0 1 1-1.9 4.1L6 7.6a2.5 2.5 0 0 1 0 .8l4.1 2a2.5 2.5 0 1 1-.6 1.2l-4.1-2a2.5 2.5 0 1 1 0-3.2l4.1-2A2.5 2.5 0 0 1 12 1.5z",
  export: "M7.2 1.5h1.6v6.3l2-2 1.1 1.1L8 10.9 4.1 6.9l1.1-1.1 2 2zM2 10h1.6v2.9h8.8V10H14v4.5H2z",
  target: "M7.3 1h1.4v2.1a5 5 0 0 1 4.2 4.2H15v1.4h-2.1a5 5 0 0 1-4.2 4.2V15H7.3v-2.1a5 5 0 0 1-4.2-4.2H1V7.3h2.1a5 5 0 0 1 4.2-4.2zM8 4.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7z",
} as const;

export type Icon = keyof typeof PATHS;

export function icon(name: Icon): SVGSVGElement {
  return svg(
    "svg",
    { viewBox: "0 0 16 16", class: "icon", "aria-hidden": "true" },
    svg("path", { d: PATHS[name], fill: "currentColor", "fill-rule": "evenodd" }),
  );
}
