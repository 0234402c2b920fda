import { describe, expect, it } from 'vitest'
import { articleText } from './text.ts'

describe('articleText', () => {
  it.each([
    ['<p>One</p><p>two</p>', 'One two'],
    ['un<b>believ</b>able', 'unbelievable'],
    ['line<br>break', 'line break'],
    ['<li>a<li>b', 'a b'],
    ['a <!-- b --> c', 'a c'],
    ['a<style>p > b { color: red }</style>b', 'a b'],
    ['<script>if (a < b) c()</script>d', 'd'],
    ['<title>Word</title>a', 'a'],
    ['<p title="1 > 2" class=\'x\'>a', 'a'],
    ["<p it's>a</p>", 'a'],
    ['a<o:p></o:p>b', 'ab'],
    ['5 < 6 & 7 > 6', '5 < 6 & 7 > 6'],
    ['Tom &amp; Ann&nbsp;&mdash; &#8220;hi&#x201D; &lt;b&gt;', 'Tom & Ann — “hi” <b>'],
    ['&eacute; &#0; &#xD800; &#1114112;', '&eacute;'],
    ['  a\n\n b\u00a0\u00a0c ', 'a b c'],
    ['<!DOCTYPE html><![if x]>a</ x>b', 'a b'],
    ['<header>a</header>', 'a'],
    ['a <b', 'a'],
    ['', ''],
  ])('reads %j as %j', (html, text) => expect(articleText(html)).toBe(text))

  it.each([
    ['openings', '<a '.repeat(300_000)],
    ['equals signs', `<a ${'='.repeat(1_000_000)}`],
    ['attributes', `<a ${'b="c" '.repeat(300_000)}>`],
    ['quotes', '<a b="'.repeat(200_000)],
    ['comments', '<!--'.repeat(300_000)],
    ['scripts', '<script>'.repeat(200_000)],
    ['less-than signs', '<'.repeat(1_000_000)],
  ])('takes a megabyte of unclosed %s in its stride', (_what, html) => {
    // What this process has reckoned, however busy the machine is with others.
    const before = process.cpuUsage()
    articleText(html)
    const { user, system } = process.cpuUsage(before)
    expect(user + system).toBeLessThan(1_000_000)
  })
})
