/** Icons of 20 by 20 pixels, drawn with the color of the text. They decorate: names belong to the button or link. */

const shapes = {
  layers: 'M10 3 3 6.5l7 3.5 7-3.5L10 3ZM3 10l7 3.5 7-3.5M3 13.5 10 17l7-3.5',
  styles:
    'M10 3a7 7 0 1 0 0 14c1.2 0 1.6-.8 1.3-1.7-.5-1.4.4-2.3 1.7-2.3H15a2 2 0 0 0 2-2.2A7 7 0 0 0 10 3ZM6.5 9.5h.01M9 6.5h.01M13 7.5h.01',
  shield: 'M10 3 4 5.2v4.3c0 3.6 2.5 6.3 6 7.5 3.5-1.2 6-3.9 6-7.5V5.2L10 3ZM7.5 10l1.8 1.8 3.2-3.4',
  gauge: 'M3.5 13a6.5 6.5 0 1 1 13 0M10 13l3-4M6 16.5h8',
  help: 'M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14ZM8 8a2 2 0 1 1 2.6 1.9c-.4.2-.6.5-.6 1v.4M10 13.8h.01',
  home: 'M3.5 9.5 10 4l6.5 5.5M5.5 8.5V16h9V8.5M8.5 16v-4h3v4',
  search: 'M9 14.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11ZM13 13l4 4',
  close: 'm5 5 10 10M15 5 5 15',
  down: 'm5.5 8 4.5 4.5L14.5 8',
  up: 'm5.5 12.5 4.5-4.5 4.5 4.5',
  grip: 'M7.5 5.5h.01M12.5 5.5h.01M7.5 10h.01M12.5 10h.01M7.5 14.5h.01M12.5 14.5h.01',
  check: 'm4.5 10.5 3.5 3.5 7.5-8',
  map: 'M3 5.5 7.5 4l5 2L17 4.5v10L12.5 16l-5-2L3 15.5v-10ZM7.5 4v10M12.5 6v10',
  user: 'M10 10a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM4 16.5c.7-2.6 3-4 6-4s5.3 1.4 6 4',
  plus: 'M10 4v12M4 10h12',
  minus: 'M4 10h12',
  fit: 'M3.5 7.5v-4h4M16.5 7.5v-4h-4M3.5 12.5v4h4M16.5 12.5v4h-4M8 8h4v4H8z',
  warning: 'M10 3.5 2.5 16.5h15L10 3.5ZM10 8v4M10 14.3h.01',
  key: 'M12.5 11a4 4 0 1 0-3.6-2.2L3.5 14.2v2.3h2.8l.7-1.7 1.7-.5.4-1.6 1.3-1.3c.6.4 1.3.6 2.1.6ZM13.3 6.7h.01',
  trash: 'M4 6h12M8 6V4h4v2M5.5 6l.7 10.5h7.6L14.5 6M8.5 9v4.5M11.5 9v4.5',
  edit: 'm4 16 .7-3.2L13.2 4.3a1.4 1.4 0 0 1 2 0l.5.5a1.4 1.4 0 0 1 0 2L7.2 15.3 4 16ZM12 5.5 14.5 8',
  filter: 'M3.5 4.5h13l-5 6v5l-3 1.5v-6.5l-5-6Z',
  users:
    'M7.5 10a2.7 2.7 0 1 0 0-5.4 2.7 2.7 0 0 0 0 5.4ZM2.5 15.8c.6-2.3 2.6-3.6 5-3.6s4.4 1.3 5 3.6M13 5a2.5 2.5 0 0 1 0 4.8M14.5 12.4c1.5.5 2.6 1.6 3 3.2',
  link: 'M8.5 11.5a3 3 0 0 0 4.2 0l2.6-2.6a3 3 0 0 0-4.2-4.2l-1 1M11.5 8.5a3 3 0 0 0-4.2 0l-2.6 2.6a3 3 0 0 0 4.2 4.2l1-1',
  lock: 'M5 9h10v7.5H5zM7 9V6.5a3 3 0 0 1 6 0V9',
  login: 'M12 4h4v12h-4M3.5 10H12M9 7l3 3-3 3',
  copy: 'M7.5 7.5V4h8.5v8.5h-3.5M4 7.5h8.5V16H4z',
  clock: 'M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14ZM10 6.5V10l2.5 2',
  table: 'M3.5 4.5h13v11h-13zM3.5 8h13M8 8v7.5',
  folder: 'M3 5.5h5l1.5 2H17V16H3V5.5Z',
  eye: 'M2.5 10S5 5 10 5s7.5 5 7.5 5-2.5 5-7.5 5-7.5-5-7.5-5ZM10 12.2a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4Z',
  target: 'M10 15a5 5 0 1 0 0-10 5 5 0 0 0 0 10ZM10 2.5v4M10 13.5v4M2.5 10h4M13.5 10h4',
  undo: 'M7.5 4 3.5 8l4 4M3.5 8h8a4.5 4.5 0 0 1 0 9H8',
  plan: 'M4 4.5h5M4 10h9M4 15.5h12M13 4.5h3M16 2.7v3.6',
  hook: 'M7 6.5a3 3 0 1 1 4 2.8l2.6 4.2M10 6.5 7 12M4.5 11a3 3 0 1 0 3.8 4h4.2M15.5 11.6a3 3 0 1 1-3 3.4',
  grid: 'M3.5 3.5h13v13h-13zM3.5 8h13M3.5 12h13M8 3.5v13M12 3.5v13',
  archive: 'M3 4h14v4H3zM4.5 8v8h11V8M8 11h4',
  moveIn: 'M10 3v9M6.5 8.5 10 12l3.5-3.5M4 12v4h12v-4',
  arrow: 'M4 10h12M12 6l4 4-4 4',
  upload: 'M10 13V4M6.5 7.5 10 4l3.5 3.5M4 13v3h12v-3',
  database:
    'M4 5.5C4 4.1 6.7 3 10 3s6 1.1 6 2.5S13.3 8 10 8 4 6.9 4 5.5ZM4 5.5v9C4 15.9 6.7 17 10 17s6-1.1 6-2.5v-9M4 10c0 1.4 2.7 2.5 6 2.500s6-1.1 6-2.5',
  globe:
    'M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14ZM3 10h14M10 3c2 2 2.8 4.3 2.8 7S12 15 10 17c-2-2-2.8-4.3-2.8-7S8 5 10 3Z',
  image: 'M3.5 4.500h13v11h-13zM3.5 13l4-4 3.5 3.5 2-2 3.5 3.500M12.5 7.500h.01',
  code: 'm7 6.5-3.5 3.500L7 13.500M13 6.500l3.5 3.5-3.5 3.500M11.5 5l-3 10',
  spark: 'M10 3.5 11.7 8.3 16.5 10l-4.8 1.700L10 16.500l-1.7-4.800L3.5 10l4.8-1.700L10 3.500Z',
  sliders: 'M3 6h6M13 6h4M3 14h3M10 14h7M11 4v4M8 12v4',
  classes: 'M3.5 4h4v4h-4zM3.5 12h4v4h-4zM10.5 6h6M10.5 14h6',
  dots: 'M5 10h.01M10 10h.01M15 10h.01',
  out: 'M8 4H4v12h4M8 10h8.5M13.5 7l3 3-3 3',
} as const;

export type IconName = keyof typeof shapes;

export function Icon({ name, size = 20 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg
      aria-hidden="true"
      width={size}
      height={size}
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      stroke-width="1.5"
      stroke-linecap="round"
      stroke-linejoin="round"
    >
      <path d={shapes[name]} />
    </svg>
  );
}
