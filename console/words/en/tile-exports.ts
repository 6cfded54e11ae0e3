/** English texts of tile exports. */
import { createCounter } from '../create-counter.ts';

const number = new Intl.NumberFormat('en');
const count = createCounter('en');

export const tileExports = {
  title: 'Tiles as a file',
  lead: 'The server writes the tiles that visitors see to a file, for maps without a connection.',
  open: 'Export tiles…',
  list: 'Tile exports',
  none: 'No tile exports. Start one with Use on the map of a layer.',
  dialogTitle: (layer: string) => `Export tiles of ${layer}`,
  start: 'Start the export',
  started: (layer: string) => `The export of ${layer} has started. It continues if you close the page.`,
  archive: 'File',
  archives: { pmtiles: 'PMTiles', mbtiles: 'MBTiles' } as const,
  format: 'Tiles',
  formats: {
    'application/vnd.mapbox-vector-tile': 'Vector tiles',
    'image/png': 'PNG images',
    'image/png8': 'PNG images with 256 colors',
    'image/jpeg': 'JPEG images',
    'image/webp': 'WebP images',
  } as Readonly<Record<string, string>>,
  zooms: 'Zoom levels of Web Mercator',
  zoomStart: 'From level',
  zoomStop: 'To level',
  bounds: 'Area in degrees',
  sides: { west: 'West', south: 'South', east: 'East', north: 'North' },
  layerChanged: 'The layer changed during the export: it has tiles from before and after. Start another export.',
  incomplete: (n: number) => `Some features are missing in ${count(n, 'tile', 'tiles')}: reading them took too long.`,
  estimate: (n: number) => `${count(n, 'tile', 'tiles')}.`,
  states: {
    pending: 'Waiting',
    running: 'Running',
    finished: 'Finished',
    failed: 'Failed',
    cancelled: 'Cancelled',
  },
  by: (user: string, time: string) => `${user}, ${time}`,
  progress: (done: number, total: number) => `${number.format(done)} of ${count(total, 'tile', 'tiles')}`,
  download: (size: string) => `Download (${size})`,
  delete: 'Delete',
  deleteOf: (name: string) => `Delete ${name}`,
  deleted: 'The export is deleted.',
  restart: 'Start again',
  restartOf: (name: string) => `Start again: ${name}`,
  cancelOf: (name: string) => `Cancel ${name}`,
  cancelled: 'The export is cancelled.',
};

export type TileExportWords = typeof tileExports;
