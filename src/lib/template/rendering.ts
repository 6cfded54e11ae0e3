/** The state of one evaluation of a template: its values, its output format and its limits. */
import { escapeHtml } from '../xml/escape.ts';
import type { TemplateOutput } from './template.ts';

/** Text that is already escaped. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A value during the evaluation. */
export type Value = string | number | boolean | Markup | readonly Value[] | ReadonlyMap<string, Value> | undefined;

export interface RenderingLimits {
  /** Evaluated nodes and expressions, and characters in units of `CHARACTERS_PER_STEP`. */
  readonly maxSteps: number;
  readonly maxCharacters: number;
}

/** Thrown if a template exceeds its limits. */
export class TemplateLimitError extends Error {}

/** Two million steps create at most 50 million characters, which take 100 MB. */
const CHARACTERS_PER_STEP = 25;

/** A search compares each character of the searched text at each position in the worst case. */
const COMPARISONS_PER_STEP = 500;

/** Longer than any list that templates write. */
const MAX_UNDEFINED_NAMES = 10;

export class Rendering {
  readonly output: TemplateOutput;
  readonly #limits: RenderingLimits;
  steps = 0;
  #characters = 0;
  readonly #pieces: string[] = [];
  readonly undefinedNames = new Set<string>();

  constructor(output: TemplateOutput, limits: RenderingLimits) {
    this.output = output;
    this.#limits = limits;
  }

  countSteps(steps = 1): void {
    this.steps += steps;
    if (this.steps > this.#limits.maxSteps) {
      throw new TemplateLimitError(`it needs more than ${this.#limits.maxSteps} steps`);
    }
  }

  /** Call it before a value is read as a whole. */
  countReading(value: Value): void {
    if (Array.isArray(value)) this.countSteps(value.length);
    else if (value instanceof Map) this.countSteps(value.size + formatValue(value).length / CHARACTERS_PER_STEP);
    else if (typeof value === 'string' || value instanceof Markup) {
      this.countSteps(formatValue(value).length / CHARACTERS_PER_STEP);
    }
  }

  /** Call it before a text is searched for a part. */
  countSearch(text: string, part: string): void {
    this.countSteps((Math.max(0, text.length - part.length) * part.length) / COMPARISONS_PER_STEP);
  }

  /** Call it for each text that a template computes. */
  checkText(text: string): string {
    this.checkLength(text.length);
    return text;
  }

  checkLength(characters: number): void {
    this.countSteps(1 + characters / CHARACTERS_PER_STEP);
    if (characters > this.#limits.maxCharacters) this.#rejectLength();
  }

  write(text: string): void {
    this.#characters += text.length;
    if (this.#characters > this.#limits.maxCharacters) this.#rejectLength();
    this.#pieces.push(text);
  }

  finish(): string {
    return this.#pieces.join('');
  }

  noteUndefined(name: string): void {
    if (this.undefinedNames.size < MAX_UNDEFINED_NAMES) this.undefinedNames.add(name);
  }

  /** Escapes text for the output format; markup stays as it is. */
  escape(value: Value): string {
    if (value instanceof Markup) return value.text;
    const text = formatValue(value);
    if (this.output === 'html') return escapeHtml(text);
    return this.output === 'json' ? escapeJson(text) : text;
  }

  #rejectLength(): never {
    throw new TemplateLimitError(`its result is longer than ${this.#limits.maxCharacters} characters`);
  }
}

/** Returns the text of a value before it is escaped. An attribute has the text of its value. */
export function formatValue(value: Value): string {
  if (value instanceof Markup) return value.text;
  if (value instanceof Map) return formatValue(value.get('value'));
  return value === undefined || typeof value === 'object' ? '' : String(value);
}

/** Escapes text for a place between the quotation marks of a JSON string. */
export function escapeJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
