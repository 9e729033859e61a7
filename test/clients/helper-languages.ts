import cases from './helpers/cases.json' with { type: 'json' };

/** How the cases of the test helpers run in a language. */
export interface HelperLanguage {
  files: string[];
  /** What fails if the language's tools are not installed, and the Debian packages that have them. */
  probe: string;
  packages: string;
  /** Runs the cases in a folder with the files. */
  run: string;
  /** What the test runner prints if each case passed. */
  passed: string;
}

export const helperLanguages: Readonly<Record<string, HelperLanguage>> = {
  PHP: {
    files: ['stubs/helpers/passerelle.php', 'test/clients/helpers/CasesTest.php'],
    probe: 'phpunit --version',
    packages: 'php-cli phpunit',
    run: 'phpunit CasesTest.php',
    passed: `OK (${cases.length} tests`,
  },
  Python: {
    files: ['stubs/helpers/passerelle.py', 'test/clients/helpers/test_cases.py'],
    probe: 'python3 --version',
    packages: 'python3',
    run: 'python3 -m unittest test_cases 2>&1',
    passed: `Ran ${cases.length} tests`,
  },
  Go: {
    files: ['stubs/helpers/passerelle.go', 'test/clients/helpers/cases_test.go'],
    probe: 'go version',
    packages: 'golang-go',
    run: 'mkdir passerelle && mv passerelle.go passerelle && go mod init cases && CGO_ENABLED=0 go test -v 2>&1',
    passed: '--- PASS: TestCases',
  },
  Java: {
    files: ['stubs/helpers/Stub.java', 'test/clients/helpers/CasesTest.java'],
    probe: 'javac --version && ls /usr/share/java/junit4.jar',
    packages: 'default-jdk-headless junit4',
    run: [
      'mkdir passerelle && mv Stub.java passerelle',
      'export CLASSPATH=.:/usr/share/java/junit4.jar:/usr/share/java/hamcrest-core.jar',
      'javac passerelle/Stub.java CasesTest.java && java org.junit.runner.JUnitCore CasesTest',
    ].join(' && '),
    passed: `OK (${cases.length} tests)`,
  },
  'C#': {
    files: ['stubs/helpers/Stub.cs', 'test/clients/helpers/Cases.cs'],
    probe: 'mcs --version && command -v nunit-console && ls /usr/lib/mono/4.5/System.Xml.Linq.dll',
    packages:
      'mono-mcs nunit-console libnunit-framework2.6.3-cil libmono-system-runtime-serialization4.0-cil libmono-system-xml-linq4.0-cil',
    run: [
      'mcs -nologo -target:library -out:Cases.dll -r:/usr/lib/cli/nunit.framework-2.6.3/nunit.framework.dll',
      '-r:System.Runtime.Serialization.dll -r:System.Xml.dll -r:System.Xml.Linq.dll Stub.cs Cases.cs && nunit-console -nologo Cases.dll',
    ].join(' '),
    passed: `Tests run: ${cases.length}, Errors: 0, Failures: 0`,
  },
  Ruby: {
    files: ['stubs/helpers/passerelle.rb', 'test/clients/helpers/test_cases.rb'],
    probe: 'ruby --version',
    packages: 'ruby',
    run: 'ruby -w test_cases.rb 2>&1',
    passed: `${cases.length} runs`,
  },
};
