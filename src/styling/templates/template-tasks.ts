/** Checks and evaluates templates, as functions for a worker. */

import { decodeText } from '../../lib/files/decode-text.ts';
import { Problem, problem } from '../../lib/problems/problem.ts';
import { readTemplate } from '../../lib/template/read-template.ts';
import { type RenderedTemplate, renderTemplate } from '../../lib/template/render-template.ts';
import { TemplateLimitError } from '../../lib/template/rendering.ts';
import {
  type Template,
  type TemplateObject,
  type TemplateOutput,
  TemplateSyntaxError,
} from '../../lib/template/template.ts';
import { computeTextPosition } from '../../lib/text/text-position.ts';
import type { Task } from '../../workers/task.ts';
import { createCollectionValues, type FeatureTable, listFeatureValues } from './feature-values.ts';

export interface TemplateEvaluation {
  /** The bytes of the templates that the parts use. */
  readonly templates: readonly Uint8Array[];
  readonly output: TemplateOutput;
  readonly parts: readonly TemplatePart[];
}

/** One use of a template: without features, for all features, or for each of them. */
export interface TemplatePart {
  /** The position of its template. */
  readonly template: number;
  readonly values: TemplateObject;
  readonly table?: FeatureTable;
  /** Whether the template is evaluated for each feature, whose attributes are values then. */
  readonly isForEach?: boolean;
}

/** A million steps take about 100 ms; a page of 10 MB is too large for a browser already. */
const limits = { maxSteps: 2_000_000, maxCharacters: 10_000_000 };

const module = import.meta.url;

export const checkTemplateTask: Task<Uint8Array, readonly string[]> = {
  module,
  name: 'checkTemplate',
  work: checkTemplate,
};

export const evaluateTemplatesTask: Task<TemplateEvaluation, readonly RenderedTemplate[]> = {
  module,
  name: 'evaluateTemplates',
  work: evaluateTemplates,
};

export const checkJsonTask: Task<string, boolean> = { module, name: 'isJson', work: isJson };

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Returns warnings. Throws `template-invalid`. */
export function checkTemplate(bytes: Uint8Array): readonly string[] {
  return readBytes(bytes).warnings;
}

/** The limits apply to all parts together. */
export function evaluateTemplates({ templates, output, parts }: TemplateEvaluation): readonly RenderedTemplate[] {
  const read = templates.map(readBytes);
  const uses = parts.flatMap(listUses);
  try {
    let { maxSteps, maxCharacters } = limits;
    return uses.map(({ template, values }) => {
      const nodes = read[template]?.nodes ?? [];
      const rendered = renderTemplate({ nodes }, values, output, { maxSteps, maxCharacters });
      maxCharacters -= rendered.text.length;
      maxSteps -= rendered.steps;
      return rendered;
    });
  } catch (error) {
    if (error instanceof TemplateLimitError) throw problem('template-too-costly', { reason: error.message });
    throw error;
  }
}

function listUses({ template, values, table, isForEach }: TemplatePart): readonly Omit<TemplatePart, 'table'>[] {
  if (table === undefined) return [{ template, values }];
  if (!isForEach) return [{ template, values: new Map([...values, ...createCollectionValues(table)]) }];
  return listFeatureValues(table).map((feature) => ({ template, values: new Map([...values, ...feature]) }));
}

function readBytes(bytes: Uint8Array): Template {
  const text = decodeTemplate(bytes);
  try {
    return readTemplate(text);
  } catch (error) {
    if (!(error instanceof TemplateSyntaxError)) throw error;
    throw problem('template-invalid', { ...computeTextPosition(text, error.offset), reason: error.message });
  }
}

/** Older editors store templates in Windows-1252. */
function decodeTemplate(bytes: Uint8Array): string {
  try {
    return decodeText(bytes, undefined, false);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
