import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

class AgendaTest {
    private static final String CONCERT = """
        {"title": "More jazz", "start_date": "2027-03-02 20:00", "end_date": "2027-03-02 23:00"}""";

    private TestCalendar calendar;

    @BeforeEach
    void open(TestInfo test) throws Exception {
        calendar = new TestCalendar(test.getDisplayName());
    }

    @AfterEach
    void close() throws Exception {
        calendar.close();
    }

    private Agenda agenda(String user) {
        return new Agenda(calendar.url, user, user);
    }

    private void shows(int total) throws Exception {
        String list = agenda(null).search("jazz");
        assertTrue(list.contains("\"total\":" + total), list);
    }

    @RepeatedTest(2)
    void publishesAnEventAsAnEditor() throws Exception {
        shows(0);
        assertEquals(201, agenda("editor").publish(CONCERT));
        shows(1);
    }

    @Test
    void publishesNothingWithoutCredentials() throws Exception {
        assertEquals(401, agenda(null).publish(CONCERT));
        shows(0);
    }

    @Test
    void triesAgainIfTheCalendarIsBusy() throws Exception {
        calendar.fault("""
            {"match": {"method": "POST", "path": "/events"}, "then": 503, "times": 1}""");
        assertEquals(201, agenda("editor").publish(CONCERT));
        calendar.verify("""
            {"match": {"method": "POST", "path": "/events"}, "exactly": 2}""");
    }

    @Test
    void showsWhatIsThereAlreadyUntilItIsOver() throws Exception {
        calendar.create("events", CONCERT);
        calendar.verify("""
            {"match": {"method": "POST"}, "never": true}""");
        shows(1);
        calendar.setClock("2027-03-03T09:00:00Z");
        shows(0);
        calendar.reset();
        shows(0);
    }

    @Test
    void requiresTheCalendarOfTheTest() throws Exception {
        String list = new Agenda(calendar.url.replaceFirst("/_worlds/[^/]+", ""), null, null).search("jazz");
        assertTrue(list.contains("world-required"), list);
    }
}
