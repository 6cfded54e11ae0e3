/** Lists of feature types, and which of them can be asked for. */
import { listParameterOf, resourceListing } from '../resources/listing.ts';

export const featureTypeListing = resourceListing('featureType', {
  published: 'Feature types',
  native: 'Types of the data',
});

export type ListChoice = 'configured' | 'available' | 'available_with_geom' | 'all';

export const listParameter = listParameterOf(['available', 'available_with_geom', 'all']);
