/** English texts of the pages below Security, and of lists that can be sorted. */

export const sortable = {
  hint: 'Press Space to lift, arrow keys to move, Space to drop, Escape to cancel. Or drag.',
  handle: (name: string) => `Move ${name}`,
  up: (name: string) => `Move ${name} up`,
  down: (name: string) => `Move ${name} down`,
  lifted: (name: string, position: number, total: number) => `${name} is lifted. Position ${position} of ${total}.`,
  moved: (name: string, position: number, total: number) => `${name} is at position ${position} of ${total}.`,
  dropped: (name: string, position: number, total: number) => `${name} is dropped at position ${position} of ${total}.`,
  cancelled: (name: string, position: number) => `Cancelled. ${name} is back at position ${position}.`,
};
