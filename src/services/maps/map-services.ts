/** What maps are drawn with, of all that the server has. */
import type { StyleServices } from '../../catalog/styles/style-services.ts';
import type { DoorServices } from '../door/door.ts';

export interface MapServices extends DoorServices {
  readonly styles: StyleServices;
}
