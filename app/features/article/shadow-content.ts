import text from './article.css?inline'
import blocks from './article-blocks.css?inline'
import print from './article-print.css?inline'

const typography = text + blocks + print

/** What the shadow root of an article holds: our typography, then the article, whose styles may follow on it. */
export const shadowContent = (html: string) =>
  `<style>${typography}</style><div class="article">${html}</div>`

/** The same for the server: a browser's parser makes a shadow root of it before anything is painted. */
export const shadowTemplate = (html: string) =>
  `<template shadowrootmode="open">${shadowContent(html)}</template>`
