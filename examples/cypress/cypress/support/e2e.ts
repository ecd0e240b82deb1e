const server = 'http://localhost:8787';

declare global {
  namespace Cypress {
    interface Chainable {
      /** Sends a request to the calendar of this test. */
      calendar(method: string, path: string, body?: object): Chainable<Cypress.Response<unknown>>;
    }
  }
}

let world = '';

// Each test has its own calendar.
beforeEach(() => {
  cy.request('POST', `${server}/_calendar/worlds`, { name: Cypress.currentTest.title, required: true }).then(({ body }) => {
    world = body.id;
    // For sites that forward it.
    cy.setCookie('calendar_world', world);
    // For requests of the browser.
    cy.intercept(`${server}/**`, (request) => {
      request.headers['X-Calendar-World'] = world;
    });
  });
});

afterEach(() => {
  cy.request('DELETE', `${server}/_calendar/worlds/${world}`);
});

Cypress.Commands.add('calendar', (method, path, body) => cy.request({ method, url: `${server}/_worlds/${world}${path}`, body }));
