/** Defines projections from the well-known text of the server. */

import { register } from 'ol/proj/proj4.js';
import { get as getProjection, type Projection } from 'ol/proj.js';
import proj4 from 'proj4';

export function defineProjection(code: string, definition: string): Projection {
  proj4.defs(code, definition);
  register(proj4);
  const projection = getProjection(code);
  if (projection === null) throw new Error(`The definition of ${code} is not supported`);
  return projection;
}
