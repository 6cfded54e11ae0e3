/** German texts of the pages below Security, and of lists that can be sorted. */
import type { sortable as english } from '../en/security.ts';

export const sortable: typeof english = {
  hint: 'Leertaste hebt an, Pfeiltasten verschieben, Leertaste legt ab, Escape bricht ab. Oder ziehen.',
  handle: (name) => `${name} verschieben`,
  up: (name) => `${name} nach oben`,
  down: (name) => `${name} nach unten`,
  lifted: (name, position, total) => `${name} ist angehoben. Position ${position} von ${total}.`,
  moved: (name, position, total) => `${name} ist an Position ${position} von ${total}.`,
  dropped: (name, position, total) => `${name} ist an Position ${position} von ${total} abgelegt.`,
  cancelled: (name, position) => `Abgebrochen. ${name} ist wieder an Position ${position}.`,
};
