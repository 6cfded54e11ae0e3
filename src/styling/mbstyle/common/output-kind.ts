/** The type of the value of a property. */

/** `alpha` is the opacity of a colour, which is separate from the colour in the model. */
export type OutputKind = 'number' | 'color' | 'alpha' | 'text' | 'boolean';
