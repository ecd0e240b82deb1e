interface World {
  id: string;
  url: string;
  control: string;
}

declare global {
  namespace Cypress {
    interface Chainable {
      /** Sends a request to the API of this test's calendar. */
      api(method: string, path: string, body?: object): Chainable<Cypress.Response<unknown>>;
      /** Sends a request to its control API. */
      control(method: string, path: string, body?: object): Chainable<Cypress.Response<unknown>>;
    }
  }
}

const worlds = `${Cypress.env('control')}/worlds`;
let world: World;

// Each test has its own calendar.
beforeEach(() => {
  cy.request<World>('POST', worlds, { name: Cypress.currentTest.title, required: true }).then(({ body }) => {
    world = body;
    // For sites that forward it.
    cy.setCookie('calendar_world', world.id);
    // For requests of the browser.
    cy.intercept(`${Cypress.env('root')}/**`, (request) => {
      request.headers['X-Calendar-World'] = world.id;
    });
  });
});

afterEach(() => {
  cy.request('DELETE', `${worlds}/${world.id}`);
});

Cypress.Commands.add('api', (method, path, body) => cy.request({ method, url: world.url + path, body }));
Cypress.Commands.add('control', (method, path, body) => cy.request({ method, url: world.control + path, body }));
