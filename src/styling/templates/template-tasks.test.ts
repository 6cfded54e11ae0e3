import { describe, expect, it } from 'vitest';
import { evaluateTemplates } from './template-tasks.ts';

describe('the evaluation of templates', () => {
  it.each([
    [
      'copies of a list',
      '<#assign a = "a,a,a,a,a,a,a,a,a,a,"><#list 1..15 as i><#assign a = a + a></#list><#assign l = a?split(",")><#assign acc = []><#list 1..3000 as i><#assign acc = [acc, l?reverse]></#list>${l?size}',
    ],
    [
      'copies of a text',
      '<#assign a = "äbcdefghij→"><#list 1..15 as i><#assign a = a + a></#list><#assign acc = []><#list 1..3000 as i><#assign acc = [acc, a?upper_case]></#list>',
    ],
    [
      'parts of a text',
      '<#assign a = "aa,aa,aa,"><#list 1..19 as i><#assign a = a + a></#list><#assign l = a?split(",")>',
    ],
  ])('stops templates that keep %s', (_, template) => {
    const evaluate = () =>
      evaluateTemplates({
        templates: [new TextEncoder().encode(template)],
        output: 'html',
        parts: [{ template: 0, values: new Map() }],
      });

    expect(evaluate).toThrow('A template is stopped: it needs more than 2000000 steps.');
  });
});
