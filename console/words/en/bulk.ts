/** English texts for changes of several layers at once. */
import { createCounter } from '../create-counter.ts';

const number = new Intl.NumberFormat('en');
const count = createCounter('en');
const layers = (n: number) => count(n, 'layer', 'layers');

export const bulk = {
  column: 'Selection',
  select: (name: string) => `Select ${name}`,
  label: 'Selected layers',
  selected: (n: number) => `${layers(n)} selected`,
  selectAll: (n: number) => `Select all ${layers(n)}`,
  tooMany: (n: number) => `At most ${layers(n)} can be changed at once.`,
  clear: 'Clear selection',
  actions: { enable: 'Enable', disable: 'Disable', style: 'Default style…', move: 'Move…', delete: 'Delete…' },
  titles: {
    enable: (n: number) => `Enable ${layers(n)}`,
    disable: (n: number) => `Disable ${layers(n)}`,
    style: (n: number) => `Set the default style of ${layers(n)}`,
    move: (n: number) => `Move ${layers(n)}`,
    delete: (n: number) => `Delete ${layers(n)}`,
  },
  done: {
    enable: (n: number) => `${layers(n)} enabled.`,
    disable: (n: number) => `${layers(n)} disabled.`,
    style: (n: number) => `The default style of ${layers(n)} is set.`,
    move: (n: number) => `${layers(n)} moved.`,
    delete: (n: number) => `${layers(n)} deleted.`,
  },
  style: 'Default style',
  styleHint: 'A global style, or a style of the workspace if all selected layers are in one.',
  workspace: 'New workspace',
  moveHint: 'A store moves with all of its layers. Addresses that contain the old workspace stop working.',
  deleteHint: 'Data in files and databases is not deleted.',
  checking: 'Checking what changes…',
  plan: (n: number) => `${count(n, 'resource changes', 'resources change')}:`,
  nothing: 'Nothing changes.',
  nothingEnabled: 'Nothing changes. A layer is also disabled while its store is disabled.',
  more: (n: number) => `${number.format(n)} more`,
};

export type BulkWords = typeof bulk;
