/** German texts for changes of several layers at once. */
import type { BulkWords } from '../en/bulk.ts';

const number = new Intl.NumberFormat('de');
const layers = (n: number) => `${number.format(n)} Layer`;

export const bulk: BulkWords = {
  column: 'Auswahl',
  select: (name) => `${name} auswählen`,
  label: 'Ausgewählte Layer',
  selected: (n) => `${layers(n)} ausgewählt`,
  selectAll: (n) => `Alle ${layers(n)} auswählen`,
  tooMany: (n) => `Höchstens ${layers(n)} können gleichzeitig geändert werden.`,
  clear: 'Auswahl aufheben',
  actions: {
    enable: 'Aktivieren',
    disable: 'Deaktivieren',
    style: 'Standardstil…',
    move: 'Verschieben…',
    delete: 'Löschen…',
  },
  titles: {
    enable: (n) => `${layers(n)} aktivieren`,
    disable: (n) => `${layers(n)} deaktivieren`,
    style: (n) => `Standardstil für ${layers(n)} setzen`,
    move: (n) => `${layers(n)} verschieben`,
    delete: (n) => `${layers(n)} löschen`,
  },
  done: {
    enable: (n) => `${layers(n)} aktiviert.`,
    disable: (n) => `${layers(n)} deaktiviert.`,
    style: (n) => `Der Standardstil ist für ${layers(n)} gesetzt.`,
    move: (n) => `${layers(n)} verschoben.`,
    delete: (n) => `${layers(n)} gelöscht.`,
  },
  style: 'Standardstil',
  styleHint: 'Ein globaler Stil, oder einer des Arbeitsbereichs, wenn alle ausgewählten Layer in einem liegen.',
  workspace: 'Neuer Arbeitsbereich',
  moveHint:
    'Ein Speicher zieht mit allen seinen Layern um. Adressen mit dem alten Arbeitsbereich funktionieren nicht mehr.',
  deleteHint: 'Daten in Dateien und Datenbanken werden nicht gelöscht.',
  checking: 'Prüfe, was sich ändert…',
  plan: (n) => (n === 1 ? '1 Objekt ändert sich:' : `${number.format(n)} Objekte ändern sich:`),
  nothing: 'Nichts ändert sich.',
  nothingEnabled: 'Nichts ändert sich. Ein Layer ist auch inaktiv, solange sein Speicher inaktiv ist.',
  more: (n) => `${number.format(n)} weitere`,
};
