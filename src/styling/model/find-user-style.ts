/** Chooses the style of a document for a layer. */
import type { StyledLayerDescriptor, UserStyle } from './styled-layer-descriptor.ts';

/** Returns the style of the first layer with one of the names, or else the first style. */
export function findUserStyle({ layers }: StyledLayerDescriptor, names: readonly string[]): UserStyle | undefined {
  const named = layers.find(({ name }) => name !== undefined && names.includes(name));
  return findDefaultStyle(named) ?? layers.map(findDefaultStyle).find((each) => each !== undefined);
}

function findDefaultStyle(layer: StyledLayerDescriptor['layers'][number] | undefined): UserStyle | undefined {
  const styles = (layer?.styles ?? []).filter((each): each is UserStyle => each.kind === 'userStyle');
  return styles.find(({ isDefault }) => isDefault) ?? styles[0];
}
