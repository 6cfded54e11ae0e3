/** Theme, language and the use of single keys: the only values that the console keeps in the browser. */
import { effect, signal } from '@preact/signals';

export type Theme = 'system' | 'light' | 'dark';
export const themes: readonly Theme[] = ['system', 'light', 'dark'];

const THEME = 'graticule-theme';
const LANGUAGE = 'graticule-language';
const SINGLE_KEYS = 'graticule-single-keys';
const OFF = 'off';

export const languages = ['en', 'de'] as const;
export type Language = (typeof languages)[number];

export const theme = signal<Theme>(themes.find((each) => each === localStorage.getItem(THEME)) ?? 'system');

/** The user's choice, else the first supported language of the browser. */
export const language = signal<Language>(findLanguage([localStorage.getItem(LANGUAGE) ?? '', ...navigator.languages]));

/** Whether keys of a single letter do something. Users of speech input switch them off. */
export const singleKeys = signal(localStorage.getItem(SINGLE_KEYS) !== OFF);

/** Whether the page is dark, whatever the reason is. */
export const isDark = signal(false);

function findLanguage(wanted: readonly string[]): Language {
  const codes = wanted.map((each) => each.slice(0, 2).toLowerCase());
  return codes.flatMap((code) => languages.filter((each) => each === code))[0] ?? 'en';
}

export function startPreferences(): void {
  const systemDark = matchMedia('(prefers-color-scheme: dark)');
  const apply = () => {
    isDark.value = theme.value === 'dark' || (theme.value === 'system' && systemDark.matches);
    document.documentElement.dataset['theme'] = isDark.value ? 'dark' : 'light';
  };
  systemDark.addEventListener('change', apply);
  effect(apply);
}

export function chooseTheme(next: Theme): void {
  theme.value = next;
  localStorage.setItem(THEME, next);
}

export function chooseLanguage(next: Language): void {
  language.value = next;
  localStorage.setItem(LANGUAGE, next);
}

export function switchSingleKeys(isOn: boolean): void {
  singleKeys.value = isOn;
  if (isOn) localStorage.removeItem(SINGLE_KEYS);
  else localStorage.setItem(SINGLE_KEYS, OFF);
}
