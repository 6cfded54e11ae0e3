/** The styles every server has: they draw layers that have no other, so they can be neither deleted nor renamed. */

const builtInNames = ['point', 'line', 'polygon', 'raster', 'generic'] as const;

export type BuiltInName = (typeof builtInNames)[number];

export function isBuiltInName(name: string): name is BuiltInName {
  return builtInNames.some((each) => each === name);
}
