/** World outlines are bundled as data. */
declare module 'world-atlas/land-110m.json' {
  import type { Topology } from 'topojson-specification';

  const topology: Topology;
  export default topology;
}

/** The sample data among the assets, described by the build. */
declare module 'sample-geopackage' {
  const file: { readonly name: string; readonly bytes: number; readonly sha256: string };
  export default file;
}
