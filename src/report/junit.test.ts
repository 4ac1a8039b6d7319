import { describe, expect, test } from 'vitest'
import { validateXML } from 'xmllint-wasm'
import { renderJunit } from './junit.ts'
import { reportOf, resultOf } from './sample.ts'

/** The common form of JUnit XML, as the Jenkins xUnit plug-in and pytest understand it, in our words. */
const XSD = `<?xml version="1.0"?>
<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">
  <xs:element name="testsuites"><xs:complexType>
    <xs:sequence><xs:element ref="testsuite" minOccurs="0" maxOccurs="unbounded"/></xs:sequence>
    <xs:attribute name="name"/><xs:attribute name="time"/><xs:attribute name="tests"/>
    <xs:attribute name="failures"/><xs:attribute name="errors"/>
  </xs:complexType></xs:element>
  <xs:element name="testsuite"><xs:complexType>
    <xs:choice minOccurs="0" maxOccurs="unbounded">
      <xs:element ref="properties"/><xs:element ref="testcase"/>
      <xs:element name="system-out" type="xs:string"/><xs:element name="system-err" type="xs:string"/>
    </xs:choice>
    <xs:attribute name="name" use="required"/><xs:attribute name="tests" use="required"/>
    <xs:attribute name="failures" use="required"/><xs:attribute name="errors" use="required"/>
    <xs:attribute name="skipped"/><xs:attribute name="time" type="xs:decimal"/><xs:attribute name="timestamp"/>
  </xs:complexType></xs:element>
  <xs:element name="properties"><xs:complexType><xs:sequence>
    <xs:element name="property" minOccurs="0" maxOccurs="unbounded"><xs:complexType>
      <xs:attribute name="name" use="required"/><xs:attribute name="value" use="required"/>
    </xs:complexType></xs:element>
  </xs:sequence></xs:complexType></xs:element>
  <xs:complexType name="problem" mixed="true"><xs:attribute name="type"/><xs:attribute name="message"/></xs:complexType>
  <xs:element name="testcase"><xs:complexType>
    <xs:choice minOccurs="0" maxOccurs="unbounded">
      <xs:element name="skipped" type="problem"/><xs:element name="error" type="problem"/>
      <xs:element name="failure" type="problem"/>
      <xs:element name="system-out" type="xs:string"/><xs:element name="system-err" type="xs:string"/>
    </xs:choice>
    <xs:attribute name="name" use="required"/><xs:attribute name="time"/><xs:attribute name="classname"/>
  </xs:complexType></xs:element>
</xs:schema>`

async function problemsOf(xml: string): Promise<string[]> {
  const outcome = await validateXML({ xml: [{ fileName: 'junit.xml', contents: xml }], schema: [XSD] })
  return outcome.errors.map(error => error.message)
}

describe('the JUnit report', () => {
  const verdicts = ['pass', 'fail', 'warn', 'info', 'skip', 'untested', 'error'] as const

  test('is valid against the common schema, with every verdict and trouble in it', async () => {
    const report = reportOf(verdicts.map(verdict => resultOf({ verdict, claim: verdict })))
    report.troubles.push({ at: 'x', via: 'http', kind: 'unreachable', sentence: 'x cannot be reached.' })
    expect(await problemsOf(renderJunit(report))).toEqual([])
  })

  test('is valid whatever the target wrote', async () => {
    const message = 'got \u0000\u001b[31m ]]> & <x> \ud800 \uffff \u202e'
    const report = reportOf(
      verdicts.map(verdict =>
        resultOf({ verdict, claim: verdict, actual: message, reason: message, excerpt: [message] }),
      ),
    )
    const xml = renderJunit(report)
    expect(await problemsOf(xml)).toEqual([])
    expect(xml).not.toContain('\u001b')
  })

  test('counts warnings as visible but not red, and what was not judged as skipped', () => {
    const xml = renderJunit(reportOf(verdicts.map(verdict => resultOf({ verdict, claim: verdict }))))
    expect(xml).toMatch(/<testsuite name="server.stdio.ping"[^>]* tests="7" failures="1" errors="1" skipped="2"/)
    expect(xml).toContain('<property name="warn in server/ping/answers warn"')
    expect(xml).toContain(
      '<property name="requirement of server/ping/answers fail" value="ping.response.empty-result"/>',
    )
  })
})
