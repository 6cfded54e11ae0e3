/** In which unit the sizes, widths and offsets of a symbolizer are; pixels by default, the others are on the ground. */
export type UnitOfMeasure = 'pixel' | 'metre' | 'foot';
