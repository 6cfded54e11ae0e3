/**
 * The names of the built-in styles. Layers without another style use them, so they can be neither deleted nor renamed.
 */

const builtInNames = ['point', 'line', 'polygon', 'raster', 'generic'] as const;

export type BuiltInName = (typeof builtInNames)[number];

export function isBuiltInName(name: string): name is BuiltInName {
  return builtInNames.some((each) => each === name);
}
