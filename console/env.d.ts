/** World outlines are bundled as data. */
declare module 'world-atlas/countries-110m.json' {
  import type { Topology } from 'topojson-specification';

  const topology: Topology;
  export default topology;
}

declare module 'world-atlas/land-110m.json' {
  import type { Topology } from 'topojson-specification';

  const topology: Topology;
  export default topology;
}
