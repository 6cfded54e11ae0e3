import { describe, expect, test } from 'vitest';
import { readTemplate } from './read-template.ts';
import { renderTemplate } from './render-template.ts';
import { TemplateLimitError } from './rendering.ts';
import { type TemplateObject, type TemplateOutput, TemplateSyntaxError, type TemplateValue } from './template.ts';

const limits = { maxSteps: 100_000, maxCharacters: 10_000 };

function toObject(entries: Readonly<Record<string, TemplateValue>>): TemplateObject {
  return new Map(Object.entries(entries));
}

const attribute = (name: string, value: string, rawValue: TemplateValue = value) =>
  toObject({ name, value, rawValue, isGeometry: false });
const values = toObject({
  name: 'Köln & "Bonn"',
  count: 3,
  ratio: 1234.5,
  empty: '',
  isOpen: true,
  feature: toObject({
    fid: 'town.1',
    kind: attribute('kind', 'city'),
    attributes: [attribute('kind', 'city'), attribute('people', '1000', 1000)],
  }),
});

function render(text: string, output: TemplateOutput = 'text'): string {
  return renderTemplate(readTemplate(text), values, output, limits).text;
}

describe('template', () => {
  test.each([
    ['a text without directives', 'a text without directives'],
    ['${feature.fid}', 'town.1'],
    ['${feature.kind.value} ${feature["kind"].name}', 'city kind'],
    ['${feature.kind}', 'city'],
    ['${NAME?length} ${feature.KIND.value}', '13 city'],
    ['<#-- ${hidden} -->shown', 'shown'],
    [
      '<#list feature.attributes as each>${each.name}=${each.value}<#if each_has_next>, </#if></#list>',
      'kind=city, people=1000',
    ],
    ['<#list feature.attributes as each>${each?counter}${each_index};</#list>', '10;21;'],
    ['<#list [] as each>x<#else>nothing</#list>', 'nothing'],
    ['<#list 1..3 as each>${each}<#if each == 2><#break></#if></#list>', '12'],
    ['<#if count gt 2>many<#elseif count == 2>two<#else>few</#if>', 'many'],
    ['<#if (count > 2) && !(count >= 4)>yes</#if>', 'yes'],
    ['<#if isOpen>open</#if>', 'open'],
    ['<#if feature.kind.value == "city" || missing??>yes</#if>', 'yes'],
    ['<#assign total = count * 2 + 1>${total} ${total % 4}', '7 3'],
    ['${missing!"none"} ${missing!} ${empty?has_content?string("full", "empty")}', 'none  empty'],
    ['${(feature.missing.value)!"-"}', '-'],
    ['${feature.attributes?size} ${"a,b"?split(",")?join("+")}', '2 a+b'],
    ['${ratio} ${ratio?string("0.00")} ${ratio?string("#,##0")} ${0.256?string("0.#%")}', '1234.5 1234.50 1,235 25.6%'],
    ['${"abc"?upper_case?replace("B", "-")?length} ${" a b "?trim?capitalize}', '3 A B'],
    ['${feature.attributes[1].rawValue + 1} ${"1" + 1}', '1001 11'],
    ['${"x"?contains("y")?string} ${["a", "b"]?seq_contains("b")?c}', 'false true'],
    ['${feature.kind?keys?first} ${name?url}', 'name K%C3%B6ln%20%26%20%22Bonn%22'],
  ])('writes %s as %s', (text, expected) => {
    expect(render(text)).toBe(expected);
  });

  test('escapes values for the output format, once', () => {
    expect(render('${name} ${name?html} ${"<b>"?no_esc}', 'html')).toBe(
      'Köln &amp; &quot;Bonn&quot; Köln &amp; &quot;Bonn&quot; <b>',
    );
    expect(render('<i>${"<" + name?html}</i>', 'html')).toBe('<i>&lt;Köln &amp; &quot;Bonn&quot;</i>');
    expect(render('{"name":"${name}","again":"${name?json_string}"}', 'json')).toBe(
      '{"name":"Köln & \\"Bonn\\"","again":"Köln & \\"Bonn\\""}',
    );
  });

  test('reports undefined names, unless they have a default', () => {
    const template = readTemplate('${a} ${b!1} ${c??} ${d.e.f} ${g?has_content}');

    expect(renderTemplate(template, values, 'text', limits)).toEqual({
      text: ' 1 false  false',
      undefinedNames: ['a', 'd.e.f'],
      steps: expect.any(Number),
    });
  });

  test('cannot reach members of the platform', () => {
    expect(
      render('${feature.constructor!"-"}${feature["__proto__"]!"-"}${name.length!"-"}${feature.attributes.map!"-"}'),
    ).toBe('----');
  });

  test.each([
    ['a\n  <#include "x.ftl">', 'unknown directive <#include>', 4],
    ['<@macro/>', 'unknown directive <@>', 0],
    ['<#if x>', '<#if> has no end', 0],
    ['<#list x as y></#if>', 'expected </#list>, found </#if>', 14],
    ['</#if>', '</#if> has no start', 0],
    ['<#else>', '<#else> has no start', 0],
    ['<#break>', 'only allowed in a <#list>', 0],
    ['${', 'expected an expression', 2],
    ['${a b}', "expected '}'", 4],
    ['${a?eval}', "unknown built-in '?eval'", 4],
    ['${"a}', 'the string has no end', 2],
    ['<#-- x', 'the comment has no end', 0],
    ['<#list x>', "expected 'as'", 8],
    ['${a?replace("b")}', "'?replace' needs 2 parameters", 4],
    [`\${${'('.repeat(60)}`, 'nested 50 levels', 52],
    ['<#if a>'.repeat(60), 'nested 50 levels', 357],
    [`\${a${'+a'.repeat(10_000)}}`, 'may have 500 operators', 503],
    [`\${a${'?trim'.repeat(10_000)}}`, 'may have 500 operators', 2503],
  ])('is rejected with its position: %j', (text, reason, offset) => {
    const read = () => readTemplate(text);

    expect(read).toThrow(TemplateSyntaxError);
    expect(read).toThrow(reason);
    try {
      read();
    } catch (error) {
      expect((error as TemplateSyntaxError).offset).toBe(offset);
    }
  });

  test('warns of directives without an effect', () => {
    const { nodes, warnings } = readTemplate(
      '<#ftl output_format="HTML"><#setting locale="de"><#escape x as x?html>a</#escape>',
    );

    expect(nodes).toEqual([{ kind: 'text', text: 'a' }]);
    expect(warnings).toEqual([
      'The directive <#ftl> has no effect.',
      'The directive <#setting> has no effect.',
      'The directive <#escape> has no effect.',
    ]);
  });

  test.each([
    '<#list 1..10000 as a><#list 1..10000 as b></#list></#list>',
    '<#assign s = "0123456789"><#list 1..100 as i><#assign s = s + s></#list>',
    '<#assign s = "a"><#list 1..100 as i><#assign s = s?replace("a", "aaaa")></#list>',
    '<#assign l = [1]><#list 1..100 as i><#assign l = l + l></#list>',
    `<#assign s = "${'x'.repeat(1_000)}">\${[s, s, s, s, s, s, s, s, s, s, s]?join(s)}`,
    '<#list 1..10000 as i>${name}</#list>',
  ])('stops at its limits: %#', (text) => {
    expect(() => render(text)).toThrow(TemplateLimitError);
  });

  const list =
    '<#assign s = "a,a,a,a,a,a,a,a,a,a,"><#list 1..9 as i><#assign s = s + s></#list><#assign l = s?split(",")>';
  const text = '<#assign s = "0123456789"><#list 1..14 as i><#assign s = s + s></#list><#assign t = s + "">';
  test.each([
    ['reversed lists', list, '<#assign kept = [kept!, l?reverse]>'],
    ['lists of values', list, '<#assign kept = l?values>'],
    ['searched lists', list, '${l?seq_contains("b")?c}'],
    ['split texts', list, '<#assign kept = [kept!, s?split(",")]>'],
    ['keys', '', '${many?keys?size}'],
    ['values', '', '${many?values?size}'],
    ['equal texts', text, '<#if s == t></#if>'],
    ['different texts', text, '<#if s != t></#if>'],
    ['texts as numbers', text, '<#if s lt 1></#if>'],
    ['numbers of texts', text, '<#assign n = s?number>'],
    ['negative texts', text, '<#assign n = -s>'],
    ['searched texts', text, '${s?contains("x")?c}'],
    ['positions in texts', text, '${s?index_of("x")}'],
    ['starts of texts', text, '${s?starts_with(t)?c}'],
    ['ends of texts', text, '${s?ends_with(t)?c}'],
    ['texts as keys', text, '${many[s]!}'],
    ['copies of texts', text, '<#assign kept = [kept!, s?upper_case]>'],
    [
      'many formats of numbers',
      '<#assign z = "00000000000000000000">',
      '${1?string(z?substring(i % 20) + "." + z?substring(i % 21))}',
    ],
  ])('counts steps for the cost of %s', (_, start, repeated) => {
    const many = new Map(Array.from({ length: 1_000 }, (__, index) => [`k${index}`, index]));
    const template = readTemplate(`${start}<#list 1..5000 as i>${repeated}</#list>`);

    expect(() =>
      renderTemplate(template, toObject({ many }), 'text', { maxSteps: 200_000, maxCharacters: 1_000_000 }),
    ).toThrow(/more than 200000 steps/);
  });

  test('counts the comparisons of a search for a long text', () => {
    const many = { maxSteps: 1_000_000, maxCharacters: 1_000_000 };
    const search = (part: string) =>
      renderTemplate(readTemplate(`${text}\${(s + s)?contains(${part})?c}`), values, 'text', many);

    expect(search('"x"').text).toBe('false');
    expect(() => search('"x" + t')).toThrow(TemplateLimitError);
  });

  test('does not count the size of a list whose length is read', () => {
    const template = readTemplate('<#assign l = 1..5000><#list l as i><#if i == l?size>${l?last}</#if></#list>');

    expect(renderTemplate(template, values, 'text', limits).text).toBe('5000');
  });
});
