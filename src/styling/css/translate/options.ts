/** Builds vendor options. */
import type { Expression } from '../../../data/filter/expression.ts';
import { createLiteral } from '../../../data/filter/literal.ts';
import type { VendorOption } from '../../model/paint.ts';
import { concatenated } from '../../sld/read/mixed-content.ts';
import type { CssValue } from '../stylesheet.ts';
import type { VendorProperty } from '../values/vendor-properties.ts';
import type { Lookup } from './cascaded.ts';

/** Undefined if there are none. */
export function vendorOptionsOf(
  own: Lookup,
  properties: readonly VendorProperty[],
  more: readonly (VendorOption | undefined)[] = [],
): readonly VendorOption[] | undefined {
  const options = properties.map(({ property, option }) => {
    const value =
      own(property) ?? (property.startsWith('fill-random') ? own(property.slice('fill-'.length)) : undefined);
    return optionOf(option, value);
  });
  const given = [...options, ...more].filter((option) => option !== undefined);
  return given.length === 0 ? undefined : given;
}

export function optionOf(name: string, value: CssValue | undefined): VendorOption | undefined {
  const expression = value === undefined ? undefined : optionValue(value);
  return expression === undefined ? undefined : { name, value: expression };
}

function optionValue(value: CssValue): Expression | undefined {
  switch (value.kind) {
    case 'expression':
      return value.expression;
    case 'none':
      return createLiteral('none');
    case 'expressions':
      return concatenated(value.expressions.flatMap((each, index) => (index === 0 ? [each] : [createLiteral(' '), each])));
    default:
      return undefined;
  }
}
