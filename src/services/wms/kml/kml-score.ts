/** The score of a KML request, which decides between placemarks and images. */

/** The score of documents that viewers load while the view changes: maps of a view and tiles. */
export const VIEW_SCORE = 50;

/** Requests all features as placemarks, which is the default of maps. */
export const VECTOR_SCORE = 100;

/** Returns the number of features above which a layer is an image. */
export function computeMaxPlacemarks(score: number): number {
  if (score === 0) return 0;
  return score === VECTOR_SCORE ? Number.POSITIVE_INFINITY : Math.floor(10 ** (score / 15));
}
