/** Builds the sample text of a label: its literal text, and the names of its attributes. */
import type { Expression } from '../../model/model.ts';
import { sampleValue } from './sample-value.ts';

const maxCharacters = 100;
const maxLines = 4;

/** Limits lines and characters; returns an empty list if there is no text. */
export function createSampleLabel(expression: Expression | undefined): readonly string[] {
  if (expression === undefined) return [];
  return formatSampleText(expression)
    .slice(0, maxCharacters * maxLines)
    .split(/\r\n|[\n\r]/)
    .map((line) => line.replace(/\s+/g, ' ').trim().slice(0, maxCharacters).toWellFormed())
    .filter((line) => line !== '')
    .slice(0, maxLines);
}

function formatSampleText(expression: Expression): string {
  switch (expression.kind) {
    case 'literal':
      return expression.value;
    case 'property':
      return expression.name.slice(Math.max(expression.name.lastIndexOf('/'), expression.name.lastIndexOf(':')) + 1);
    case 'concatenation':
      return expression.parts.map(formatSampleText).join('');
    case 'arithmetic':
      return formatSampleText(expression.left) || formatSampleText(expression.right);
    case 'function': {
      if (/concat/i.test(expression.name)) return expression.arguments.map(formatSampleText).join('');
      // A function is represented by its argument, such as the attribute whose first letters it returns.
      const attribute = expression.arguments.find(isFeatureDependent);
      const value = attribute ? undefined : sampleValue(expression);
      return attribute ? formatSampleText(attribute) : String(value ?? expression.name);
    }
    case 'geometry':
      return '';
  }
}

function isFeatureDependent(expression: Expression): boolean {
  switch (expression.kind) {
    case 'property':
      return true;
    case 'concatenation':
      return expression.parts.some(isFeatureDependent);
    case 'arithmetic':
      return isFeatureDependent(expression.left) || isFeatureDependent(expression.right);
    case 'function':
      return expression.arguments.some(isFeatureDependent);
    default:
      return false;
  }
}
