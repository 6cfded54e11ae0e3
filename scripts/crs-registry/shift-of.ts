/** Chooses the shift to WGS 84 of each geographic system from all that the lists and the published tables say. */

import { areSameEllipsoid } from '../../src/data/crs/compare-models.ts';
import type { GeographicCrs, ProjectedCrs } from '../../src/data/crs/crs-model.ts';
import type { Entry } from './entries.ts';
import { publishedShifts } from './shifts.ts';

export interface DatumKnowledge {
  shiftOf(entry: Entry<GeographicCrs>): readonly number[] | undefined;
  /** Esri's name only where there is no other. */
  datumOf(entry: Entry<GeographicCrs>): string;
}

export function gatherDatumKnowledge(
  geographic: readonly Entry<GeographicCrs>[],
  projected: readonly Entry<ProjectedCrs>[],
): DatumKnowledge {
  /** A published one, else its own, else the one that most projected systems on it have. */
  const ownShiftOf = (entry: Entry<GeographicCrs>): readonly number[] | undefined => {
    if (entry.code === 'EPSG:4326') return undefined;
    const known = publishedShifts[entry.code] ?? entry.model.toWgs84;
    if (known !== undefined) return known;
    const counts = new Map<string, number>();
    for (const { model } of projected) {
      if (model.base.code !== entry.code || model.base.toWgs84 === undefined) continue;
      const key = model.base.toWgs84.join(' ');
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    const [most] = [...counts].sort((a, b) => b[1] - a[1]);
    return most?.[0].split(' ').map(Number);
  };

  /** The system on the same datum that counts from Greenwich: its name is that of the other without the meridian. */
  const greenwichTwin = (entry: Entry<GeographicCrs>): Entry<GeographicCrs> | undefined => {
    if (entry.model.primeMeridian.longitudeDegrees === 0) return undefined;
    const name = entry.name.replace(/ \([^)]*\)$/, '');
    const twin = geographic.find((each) => each.name === name);
    return twin !== undefined && areSameEllipsoid(twin.model.ellipsoid, entry.model.ellipsoid) ? twin : undefined;
  };

  return {
    shiftOf: (entry) => {
      const twin = greenwichTwin(entry);
      return ownShiftOf(entry) ?? (twin === undefined ? undefined : ownShiftOf(twin));
    },
    datumOf: (entry) => {
      const { datum } = entry.model;
      return datum.startsWith('D_') ? (greenwichTwin(entry)?.model.datum ?? datum) : datum;
    },
  };
}
