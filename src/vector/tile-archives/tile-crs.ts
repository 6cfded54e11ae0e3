/** The CRS of all tiles in archives. */
import type { CrsReference } from '../../crs/model/crs-reference.ts';

export const WEB_MERCATOR: CrsReference = { code: 'EPSG:3857' };
