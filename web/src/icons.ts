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
  projector: "M1 3h14v8H1zm1.5 1.5v5h11v-5zM7.2 11h1.6v1.2l2.4 2.3h-2L8 13.3l-1.200 1.2h-2l2.400-2.300z",
  help: "M8 1a7 7 0 1 1 0 14A7 7 0 0 1 8 1zm0 1.500a5.500 5.500 0 1 0 0 11 5.500 5.500 0 0 0 0-11zM7.200 11h1.600v1.500H7.200zM5.500 6.200a2.500 2.500 0 1 1 3.800 2.100c-.4.3-.6.500-.6 1v.5H7.300v-.600c0-1 .500-1.500 1.100-1.900a1 1 0 1 0-1.500-1.100z",
  close: "M3.300 2.300 8 7l4.700-4.700 1 1L9 8l4.700 4.700-1 1L8 9l-4.700 4.700-1-1L7 8 2.300 3.300z",
  picture: "M1.500 4h3l1-1.500h5l1 1.500h3v9h-13zm6.500 1.800a2.700 2.700 0 1 0 0 5.400 2.700 2.700 0 0 0 0-5.400z",
  table: "M2 2.500h12v11H2zm1.400 3v2h3.900v-2zm5.300 0v2h3.900v-2zM3.400 9v3h3.900V9zm5.300 0v3h3.900V9z",
  write: "M2 14l.7-3.300 7.600-7.600 2.600 2.600-7.600 7.600zM11 2.300l.9-.9 2.700 2.700-.9.9z",
  layers: "M8 1.500 15 5 8 8.500 1 5zM2.800 7.200 8 9.800l5.200-2.600L15 8 8 11.500 1 8zM2.800 10.200 8 12.800l5.200-2.600L15 11l-7 3.500L1 11z",
  camera: "M1 4h9v8H1zM11 7l4-2.500v7L11 9z",
  plus: "M7.200 2h1.600v5.200H14v1.600H8.800V14H7.200V8.800H2V7.200h5.200z",
  warning: "M8 1.500 15 14H1zM7.300 6v4h1.400V6zm0 5v1.400h1.400V11z",
  chevron: "M3.200 5.500 8 10.300l4.800-4.800 1 1L8 12.300 2.200 6.500z",
  save: "M2 2h9.500L14 4.500V14H2zm2 1.500v3h6v-3zM8 8.500a2 2 0 1 0 0 4 2 2 0 0 0 0-4z",
  target: "M7.300 1h1.400v2.100a5 5 0 0 1 4.200 4.200H15v1.400h-2.100a5 5 0 0 1-4.200 4.200V15H7.300v-2.100a5 5 0 0 1-4.200-4.200H1V7.300h2.100a5 5 0 0 1 4.200-4.200zM8 4.500a3.500 3.500 0 1 0 0 7 3.500 3.500 0 0 0 0-7z",
} as const;

export type Icon = keyof typeof PATHS;

export function icon(name: Icon): SVGSVGElement {
  return svg(
    "svg",
    { viewBox: "0 0 16 16", class: "icon", "aria-hidden": "true" },
    svg("path", { d: PATHS[name], fill: "currentColor", "fill-rule": "evenodd" }),
  );
}
