/** German texts of tile exports. */
import type { TileExportWords } from '../en/tile-exports.ts';

const number = new Intl.NumberFormat('de');
const tiles = (n: number) => `${number.format(n)} ${n === 1 ? 'Kachel' : 'Kacheln'}`;

export const tileExports: TileExportWords = {
  title: 'Kacheln als Datei',
  lead: 'Der Server schreibt die Kacheln, die Besucher sehen, in eine Datei, für Karten ohne Verbindung.',
  open: 'Kacheln exportieren…',
  list: 'Kachelexporte',
  none: 'Keine Kachelexporte. Starten Sie einen mit „Verwenden“ auf der Karte eines Layers.',
  dialogTitle: (layer) => `Kacheln von ${layer} exportieren`,
  start: 'Export starten',
  started: (layer) => `Der Export von ${layer} läuft. Er läuft weiter, wenn Sie die Seite schließen.`,
  archive: 'Datei',
  archives: { pmtiles: 'PMTiles', mbtiles: 'MBTiles' },
  format: 'Kacheln',
  formats: {
    'application/vnd.mapbox-vector-tile': 'Vektorkacheln',
    'image/png': 'PNG-Bilder',
    'image/png8': 'PNG-Bilder mit 256 Farben',
    'image/jpeg': 'JPEG-Bilder',
    'image/webp': 'WebP-Bilder',
  },
  zooms: 'Zoomstufen von Web Mercator',
  zoomStart: 'Von Stufe',
  zoomStop: 'Bis Stufe',
  bounds: 'Gebiet in Grad',
  sides: { west: 'West', south: 'Süd', east: 'Ost', north: 'Nord' },
  layerChanged:
    'Der Layer hat sich während des Exports geändert: Es gibt Kacheln von vorher und nachher. Starten Sie einen neuen Export.',
  incomplete: (n) => `In ${tiles(n)} fehlen Objekte: Sie zu lesen dauerte zu lange.`,
  estimate: (n) => `${tiles(n)}.`,
  states: {
    pending: 'Wartet',
    running: 'Läuft',
    finished: 'Fertig',
    failed: 'Fehlgeschlagen',
    cancelled: 'Abgebrochen',
  },
  by: (user, time) => `${user}, ${time}`,
  progress: (done, total) => `${number.format(done)} von ${tiles(total)}`,
  download: (size) => `Herunterladen (${size})`,
  delete: 'Löschen',
  deleteOf: (name) => `Löschen: ${name}`,
  deleted: 'Der Export ist gelöscht.',
  restart: 'Neu starten',
  restartOf: (name) => `Neu starten: ${name}`,
  cancelOf: (name) => `Abbrechen: ${name}`,
  cancelled: 'Der Export ist abgebrochen.',
};
