/** Builds vendor options. */
import type { Expression } from '../../../filter/model/expression.ts';
import { createLiteral } from '../../../filter/model/literal.ts';
import type { VendorOption } from '../../model/paint.ts';
import { concatenate } from '../../sld/read/mixed-content.ts';
import type { PropertyLookup } from '../cascade/cascaded-properties.ts';
import type { CssValue } from '../model/stylesheet.ts';
import type { VendorProperty } from '../values/vendor-properties.ts';

/** Returns undefined if there are none. */
export function buildVendorOptions(
  own: PropertyLookup,
  properties: readonly VendorProperty[],
  more: readonly (VendorOption | undefined)[] = [],
): readonly VendorOption[] | undefined {
  const options = properties.map(({ property, option }) => {
    const value =
      own(property) ?? (property.startsWith('fill-random') ? own(property.slice('fill-'.length)) : undefined);
    return toVendorOption(option, value);
  });
  const given = [...options, ...more].filter((option) => option !== undefined);
  return given.length === 0 ? undefined : given;
}

export function toVendorOption(name: string, value: CssValue | undefined): VendorOption | undefined {
  const expression = value === undefined ? undefined : toOptionValue(value);
  return expression === undefined ? undefined : { name, value: expression };
}

function toOptionValue(value: CssValue): Expression | undefined {
  switch (value.kind) {
    case 'expression':
      return value.expression;
    case 'none':
      return createLiteral('none');
    case 'expressions':
      return concatenate(
        value.expressions.flatMap((each, index) => (index === 0 ? [each] : [createLiteral(' '), each])),
      );
    default:
      return undefined;
  }
}
