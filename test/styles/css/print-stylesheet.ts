/** Formats random style sheets as text. */
import type { RandomRule } from './random-stylesheets.ts';

export function printStylesheet(mode: string, rules: readonly RandomRule[]): string {
  return `@mode '${mode}';\n${rules.map((rule) => printRule(rule, '')).join('\n')}`;
}

function printRule({ selectors, properties, rules }: RandomRule, indent: string): string {
  const heading = selectors.map(({ parts, symbol }) => {
    const suffix =
      symbol === undefined
        ? ''
        : symbol.index === undefined
          ? `:${symbol.class}`
          : `:nth-${symbol.class}(${symbol.index})`;
    return `${parts.map(({ text }) => text).join(' ')} ${suffix}`;
  });
  const inner = `${indent}  `;
  const lines = Object.entries(properties).map(([name, values]) => `${inner}${name}: ${values.join(', ')};`);
  return [
    `${indent}${heading.join(', ')} {`,
    ...lines,
    ...rules.map((rule) => printRule(rule, inner)),
    `${indent}}`,
  ].join('\n');
}
