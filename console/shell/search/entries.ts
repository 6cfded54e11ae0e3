/** What the search offers without a request: pages, their settings and tools, and actions of the console. */
import type { IconName } from '../../parts/icon/icon.tsx';
import { signOut } from '../../rest/session.ts';
import { routes } from '../../routes.ts';
import { t } from '../../words/words.ts';
import { isKeyHelpOpen } from '../keys.tsx';
import { matchRoute } from '../match-route.ts';
import { mayOpen } from '../may-open.ts';
import { chooseLanguage, chooseTheme, languages, type Theme } from '../preferences.ts';
import { navigate } from '../router.ts';
import { readAddress, readCrsCode } from './read-reference.ts';
import { listTopics } from './topics.ts';

export interface Entry {
  readonly id: string;
  readonly icon: IconName;
  readonly name: string;
  /** What it is, such as `Layer`. */
  readonly kind: string;
  readonly hint?: string | undefined;
  readonly run: () => void;
}

/** Pages without parameters: they are offered as soon as they have a row in `routes.ts`. */
function listPages(): readonly Entry[] {
  const { search } = t();
  const seen = new Set<string>();
  return routes.flatMap((route) => {
    const { path, title } = route;
    const name = title(t(), {});
    if (path.includes(':') || path === 'signin' || !mayOpen(route) || seen.has(name)) return [];
    seen.add(name);
    return [{ id: `page ${path}`, icon: 'arrow', name, kind: search.page, run: () => navigate(path) } as const];
  });
}

/** Settings and tools, with the page that has them. */
function listSettings(): readonly Entry[] {
  const { search } = t();
  return listTopics().flatMap(({ address, names }) => {
    const found = matchRoute(routes, address.replace(/\?.*/, ''));
    if (found === undefined || !mayOpen(found.route)) return [];
    const hint = found.route.title(t(), found.params);
    const run = () => navigate(address);
    return names.map(
      (name): Entry => ({ id: `${address} ${name}`, icon: 'sliders', name, kind: search.setting, hint, run }),
    );
  });
}

function listActions(): readonly Entry[] {
  const { search, app, account } = t();
  const theme = (name: Theme, label: string): Entry => ({
    id: `theme ${name}`,
    icon: 'eye',
    name: label,
    kind: account.theme,
    run: () => chooseTheme(name),
  });
  return [
    theme('dark', search.dark),
    theme('light', search.light),
    theme('system', search.systemTheme),
    ...languages.map((language): Entry => {
      const name = app.languageNames[language];
      const run = () => chooseLanguage(language);
      return { id: `language ${language}`, icon: 'help', name, kind: account.language, run };
    }),
    {
      id: 'keys',
      icon: 'help',
      name: search.keys,
      kind: search.action,
      run: () => {
        isKeyHelpOpen.value = true;
      },
    },
    { id: 'sign-out', icon: 'out', name: search.signOut, kind: search.action, run: () => void signOut() },
  ];
}

/** Without a text, only the pages; a pasted address or code comes first. */
export function listEntries(text: string): readonly Entry[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return listPages();
  const words = wanted.split(/\s+/);
  const named = [...listPages(), ...listActions(), ...listSettings()].filter(({ name, kind, hint = '' }) => {
    const searched = `${name} ${kind} ${hint}`.toLowerCase();
    return words.every((word) => searched.includes(word));
  });
  return [...listReferences(text.trim()), ...named];
}

function listReferences(text: string): readonly Entry[] {
  const { search } = t();
  const address = readAddress(text);
  const code = readCrsCode(text);
  return [
    ...(address === undefined
      ? []
      : [
          {
            id: 'address',
            icon: 'arrow',
            name: address,
            kind: search.openAddress,
            run: () => navigate(address),
          } as const,
        ]),
    ...(code === undefined
      ? []
      : [
          {
            id: 'crs',
            icon: 'target',
            name: code,
            kind: search.kinds['crs'] ?? '',
            run: () => navigate(`crs/${code}`),
          } as const,
        ]),
  ];
}
