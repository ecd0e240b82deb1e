const concert = { title: 'More jazz', start_date: '2027-03-01 20:00', end_date: '2027-03-01 23:00' };

it('shows a new event', () => {
  cy.api('POST', '/events', concert);
  cy.visit('/');
  cy.contains('More jazz');
});

it('sees no event of another test', () => {
  cy.visit('/');
  cy.contains('Radio play on the air');
  cy.contains('More jazz').should('not.exist');
});

it('meets an error', () => {
  cy.control('POST', '/faults', { match: { path: '/events' }, then: { status: 503 }, times: 1 });
  cy.request({ url: `${Cypress.env('url')}/events`, failOnStatusCode: false })
    .its('status')
    .should('eq', 503);
});
