/** The texts of the console in the chosen language. `t().layers.title` is typed: a missing text is an error of types. */
import { signal } from '@preact/signals';
import type { Language } from '../shell/preferences.ts';
import type { Words } from './en.ts';

const loaders: Readonly<Record<Language, () => Promise<Words>>> = {
  en: async () => (await import('./en.ts')).words,
  de: async () => (await import('./de.ts')).words,
};

const loaded = signal<Words | undefined>(undefined);

export async function loadWords(language: Language): Promise<void> {
  const words = await loaders[language]();
  document.documentElement.lang = language;
  loaded.value = words;
}

/** Returns the texts; a component that calls it is drawn again when the language changes. */
export function t(): Words {
  const words = loaded.value;
  if (words === undefined) throw new Error('The texts are not loaded yet');
  return words;
}

/** Numbers, dates and lists as people of the language write them. */
export function formatNumber(value: number, options?: Intl.NumberFormatOptions): string {
  return new Intl.NumberFormat(document.documentElement.lang, options).format(value);
}

export function formatTime(time: string | number | Date): string {
  return new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: 'medium', timeStyle: 'short' }).format(
    new Date(time),
  );
}

/** A time of the data, which is in UTC: at midnight, only its day. */
export function formatMoment(time: string): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return time;
  const isDay = date.getTime() % 86_400_000 === 0;
  const options: Intl.DateTimeFormatOptions = {
    ...{ timeZone: 'UTC', dateStyle: 'medium' },
    ...(isDay ? {} : { timeStyle: 'short' }),
  };
  return new Intl.DateTimeFormat(document.documentElement.lang, options).format(date);
}

export function formatList(items: readonly string[]): string {
  return new Intl.ListFormat(document.documentElement.lang).format(items);
}
