// Package ci writes verdicts as continuous integration systems read them: JUnit's XML, which
// Jenkins, GitLab and GitHub Actions show as tests, and the workflow commands of GitHub Actions,
// which it shows as annotations at the lines of a scenario.
package ci
